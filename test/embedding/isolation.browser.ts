import '../../src/index.ts';
import { waitFor } from '@testing-library/dom';
import { expect } from 'chai';
import { isWebKit } from '../support/browser.ts';
import { nextFrame } from '../support/frame.ts';
import { startGateway } from '../support/gateway.ts';
import { click, press } from '../support/input.ts';
import { mountReady, openPanel, type Panel } from '../support/panel.ts';

const sessions = [
  { numero: '5491155550001', state: 'qr' },
  { numero: '5491155550002', state: 'connected' },
  { numero: '5491155550003', state: 'waiting' },
] as const;

/** Rules for every element, as some portals have them, and inherited properties. */
const HOSTILE = `
  html { font-size: 62.5% !important; }
  *, *::before, *::after {
    padding: 9px !important; border: 3px solid red !important; outline: 5px solid red !important;
    background: red !important; box-shadow: 0 0 9px red !important; display: inline-block !important;
  }
  * {
    font: italic 900 31px/3 fantasy !important; letter-spacing: 5px !important; word-spacing: 9px !important;
    text-transform: uppercase !important; text-align: right !important; text-indent: 40px !important;
    white-space: pre !important; word-break: break-all !important; hyphens: auto !important;
    line-height: 3 !important; color: red !important; list-style: square !important; tab-size: 9 !important;
    text-shadow: 1px 1px red !important; cursor: wait !important; direction: rtl !important;
    quotes: none !important; columns: 3 !important; writing-mode: vertical-rl !important;
  }
  *::before { content: 'X' !important; }
  h1, h2, h3, p, button, input, label, form, dialog, article, header, footer, section {
    margin: 50px !important; width: 33px !important; position: fixed !important; float: left !important;
  }
  .card, .header, .main, .grid, .panel, .state, .flat, .filled { display: none !important; }
`;

/** Whether two boxes are the same within a pixel: Firefox rounds sixtieths of one. */
function isAlike(box: string, before: string): boolean {
  const [words, others] = [box.split(' '), before.split(' ')];
  return words.every((word, index) => {
    const other = others[index];
    return word === other || (index <= 4 && Math.abs(Number(word) - Number(other)) <= 1);
  });
}

/** Waits until the cards' heights are stable: cards off the screen get theirs when they are rendered. */
async function settle(panel: Panel): Promise<void> {
  let last = '';
  let steady = 0;
  while (steady <= 5) {
    const now = panel
      .all('article')
      .map((card) => card.offsetHeight)
      .join();
    steady = now === last ? steady + 1 : 0;
    last = now;
    await nextFrame();
  }
}

/** The position of each element in its panel, and the style of its text. */
function boxes(panel: Panel): string[] {
  // The page may give the element padding and a border: they are around the panel.
  const origin = panel.get('region', 'Administrador de Whatsapp Operadores').getBoundingClientRect();
  // Parts of a drawing move with it, within rounding.
  return [...panel.root.querySelectorAll('*:not(svg *)')].flatMap((element) => {
    const { x, y, width, height } = element.getBoundingClientRect();
    if (width === 0 || height === 0) return [];
    const { fontSize, fontFamily, color, letterSpacing, textTransform, cursor } = getComputedStyle(element);
    const place = [x - origin.x, y - origin.y, width, height].map((length) => length.toFixed(1));
    return [
      element.localName,
      ...place,
      fontSize,
      fontFamily,
      color,
      letterSpacing,
      textTransform,
      cursor,
    ].join(' ');
  });
}

/** Adds a style sheet to the page until the end of the test. */
function addStyle(css: string): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  document.adoptedStyleSheets = [sheet];
}

afterEach(() => {
  document.adoptedStyleSheets = [];
});

describe('isolation', () => {
  it('hostile CSS of the page changes no box of the panel', async function () {
    // WebKit keeps the cards 48 pixels too high after a change of width, until the next layout.
    if (isWebKit) this.skip();
    const { panel } = await openPanel({ sessions });
    const { style } = panel.element;
    style.setProperty('width', '800px', 'important');
    style.setProperty('margin', '0', 'important');
    await document.fonts.ready;
    await settle(panel);
    const before = boxes(panel);
    addStyle(HOSTILE);
    expect(getComputedStyle(document.body).letterSpacing).to.equal('5px');
    const changed = boxes(panel).filter((box, index) => !isAlike(box, before[index] ?? ''));
    expect(changed).to.deep.equal([]);
  });

  it('hostile CSS of the page does not change an open dialog', async () => {
    const { panel } = await openPanel({ sessions });
    const dialog = await panel.openAddDialog();
    const size = () => [dialog.offsetWidth, dialog.offsetHeight, getComputedStyle(dialog).backgroundColor];
    const before = size();
    addStyle(HOSTILE);
    expect(size()).to.deep.equal(before);
  });

  it('the font comes from the page by its token only', async () => {
    const { panel } = await openPanel({ sessions });
    const font = () => getComputedStyle(panel.get('heading', 'Sesiones activas')).fontFamily;
    addStyle('body { font-family: fantasy } whatsapp-operadores { --wo-font: "Portal Sans", serif }');
    expect(font()).to.equal('"Portal Sans", serif');
    addStyle('body { font-family: fantasy }');
    expect(font()).to.include('system-ui');
  });

  it('hiding the panel hides all of it', async () => {
    const { panel } = await openPanel({ sessions });
    const title = panel.get('heading', 'Sesiones activas');
    expect(title.checkVisibility({ visibilityProperty: true })).to.equal(true);
    addStyle('whatsapp-operadores { visibility: hidden }');
    expect(title.checkVisibility({ visibilityProperty: true })).to.equal(false);
    addStyle('');
    panel.element.hidden = true;
    expect(title.checkVisibility()).to.equal(false);
  });

  it('the panel adds no style, node, storage or cookie to the page', async () => {
    const gateway = await startGateway({ sessions });
    const kept = () => ({
      globals: Object.keys(window).length,
      head: document.head.childElementCount,
      body: document.body.childElementCount,
      root: document.documentElement.attributes.length,
      bodyAttributes: document.body.attributes.length,
      styleSheets: document.styleSheets.length,
      adopted: document.adoptedStyleSheets.length,
      storage: localStorage.length + sessionStorage.length,
      cookie: document.cookie,
    });
    const before = kept();
    const panel = await mountReady(gateway);
    await panel.openAddDialog();
    expect(kept()).to.deep.equal({ ...before, body: before.body + 1 });
    panel.element.remove();
    expect(kept()).to.deep.equal(before);
  });

  it('the light and dark colours follow the color-scheme of the page around it', async () => {
    const { panel } = await openPanel({ sessions });
    const colour = () => getComputedStyle(panel.get('heading', 'Sesiones activas')).color;
    addStyle('body { color-scheme: light }');
    const light = colour();
    addStyle('body { color-scheme: dark }');
    expect(colour()).not.to.equal(light);
  });
});

describe('two panels on a page', () => {
  it('have their own server, list, notices and dialogs', async () => {
    const [first, second] = [
      await startGateway({ sessions: [{ numero: '5491155550001', state: 'connected' }] }),
      await startGateway({ sessions: [{ numero: '5491155550001', state: 'connected' }] }),
    ];
    const one = await mountReady(first);
    const two = await mountReady(second);
    await click(one.button('Levantar Sesión'));
    await one.notice('La sesión de 5491155550001 comenzará a levantarse');
    expect(two.notices()).to.deep.equal([]);
    await second.push('session:change_state', { numero: '5491155550001', state: 'SOLO DOS' });
    await waitFor(() => expect(two.text).to.include('SOLO DOS'));
    expect(one.text).not.to.include('SOLO DOS');
    two.element.remove();
    expect(one.notices()).to.deep.equal(['La sesión de 5491155550001 comenzará a levantarse']);
    // By the keyboard: while the session starts, its card grows and shrinks, and moves the button under a mouse.
    one.button('Eliminar Sesión').focus();
    await press('Enter');
    expect((await one.openDialog()).textContent).to.include('5491155550001');
  });
});
