import '../../src/index.ts';
import { waitFor } from '@testing-library/dom';
import { expect } from 'chai';
import { jumpAhead } from '../support/browser-clock.ts';
import { chord, click, fill, hover, press, type } from '../support/input.ts';
import { existing, openPanel, type Panel } from '../support/panel.ts';
import { resize, setWindow } from '../support/viewport.ts';

const numeroOf = (index: number) => String(5491155550000 + index);
/** The sessions that are DESCONECTADO. */
const DOWN = [7, 20, 33, 46, 59];

function sessions(count: number) {
  return Array.from({ length: count }, (_, index) => ({
    numero: numeroOf(index),
    state: DOWN.includes(index) ? ('disconnected' as const) : ('connected' as const),
  }));
}

const rows = (panel: Panel) => panel.all('article').filter((item) => item.querySelector('[aria-expanded]'));
const numeroIn = ({ dataset }: HTMLElement) => dataset.numero ?? '';
const numeros = (panel: Panel) => rows(panel).map(numeroIn);
const row = (panel: Panel, index: number) => panel.get('article', new RegExp(`${numeroOf(index)}$`));
const toggle = (panel: Panel, index: number) => panel.button(`Abrir ${numeroOf(index)}`);
const bar = (panel: Panel) => existing(panel.root.querySelector<HTMLElement>('[part="bar"]'));

/** The rows that are wholly on the screen, and not below the bar. */
function visible(panel: Panel): HTMLElement[] {
  const top = bar(panel).getBoundingClientRect().bottom;
  return rows(panel).filter((item) => {
    const box = item.getBoundingClientRect();
    return box.top >= top && box.bottom <= innerHeight;
  });
}

describe('the view', () => {
  it('follows the number of sessions with auto: cards below nine, the list from there on', async () => {
    const { panel } = await openPanel({ sessions: sessions(8) }, { view: 'auto' });
    expect(panel.numeros()).to.have.length(8);
    const dialog = await panel.openAddDialog();
    await fill(panel.textbox('Número de teléfono', dialog), '5215550001111');
    await press('Enter');
    await waitFor(() => expect(rows(panel)).to.have.length(9));
    // The new one is open, with its code.
    expect(toggleOf(panel, '5215550001111').getAttribute('aria-expanded')).to.equal('true');
    await panel.find('img', 'Código QR para vincular 5215550001111');
  });

  it("is the operator's to change from nine on, and the page is told", async () => {
    const { panel } = await openPanel({ sessions: sessions(12) }, { view: 'auto' });
    const told: unknown[] = [];
    panel.element.addEventListener('wo-view-change', ({ detail }) => told.push(detail));
    const field = await openedField(panel, 3);
    await fill(field, 'sin enviar');
    panel.button('Tarjetas').focus();
    await press(' ');
    await waitFor(() => expect(rows(panel)).to.have.length(0));
    panel.button('Lista').focus();
    await press(' ');
    await waitFor(() => expect(rows(panel)).to.have.length(12));
    expect(told).to.deep.equal([
      { view: 'cards', order: 'server' },
      { view: 'list', order: 'attention' },
    ]);
    expect(panel.textbox('Mensaje de Prueba', row(panel, 3)).value).to.equal('sin enviar');
  });
});

/** What the Tab key stops at. */
const STOPS = ':is(button, input, summary, [tabindex]):not([tabindex="-1"])';

const toggleOf = (panel: Panel, numero: string) => panel.button(`Abrir ${numero}`);

/** Opens a row; returns the field of its test message. */
async function openedField(panel: Panel, index: number): Promise<HTMLInputElement> {
  await click(toggle(panel, index));
  return panel.textbox('Mensaje de Prueba', row(panel, index));
}

describe('a row of the list', () => {
  let panel: Panel;
  beforeEach(async () => {
    ({ panel } = await openPanel({ sessions: sessions(12) }, { view: 'list' }));
  });

  it('says state, numero, what to do, since when, and has the next step as a button', async () => {
    const text = row(panel, 7).textContent ?? '';
    expect(text).to.include('DESCONECTADO');
    expect(text).to.include(numeroOf(7));
    expect(text).to.include('Levántala para volver a usarla.');
    const time = existing(row(panel, 7).querySelector('time'));
    expect(time.textContent).to.equal('ahora');
    expect(Date.now() - Date.parse(time.dateTime)).to.be.within(0, 60_000);
    await hover(time);
    expect(time.title).to.match(/\d:\d\d:\d\d/);
    await click(panel.button('Levantar', row(panel, 7)));
    await click(await panel.find('button', 'Ver código', row(panel, 7)));
    await panel.find('img', `Código QR para vincular ${numeroOf(7)}`, await panel.openDialog());
  });

  it('has at most three stops for the Tab key, the tick included', async () => {
    await panel.find('checkbox', `Seleccionar ${numeroOf(7)}`);
    expect(row(panel, 7).querySelectorAll(STOPS)).to.have.length(3);
    expect(row(panel, 1).querySelectorAll(STOPS)).to.have.length(2);
  });

  it('opens in place to all that is on a card, by a click anywhere, and keeps what was typed when it closes', async () => {
    await click(existing(row(panel, 2).querySelector('p')));
    const fields = () => panel.all('textbox', 'Mensaje de Prueba', row(panel, 2));
    expect(fields()).to.have.length(1);
    for (const name of [
      'Enviar Mensaje',
      'Levantar Sesión',
      'Eliminar Sesión',
      `Historial de ${numeroOf(2)}`,
    ])
      expect(panel.button(name, row(panel, 2)).checkVisibility()).to.equal(true);
    await fill(panel.textbox('Mensaje de Prueba', row(panel, 2)), 'hola');
    await press('Escape');
    expect(fields()).to.deep.equal([]);
    expect(panel.focused).to.equal(toggle(panel, 2));
    await press('Enter');
    expect(panel.textbox('Mensaje de Prueba', row(panel, 2)).value).to.equal('hola');
  });

  it('opens by a press on a phone, and by a button that the keyboard sees', async () => {
    await resize(panel, 360, 740);
    await click(existing(row(panel, 7).querySelector('.advice')));
    expect(toggle(panel, 7).getAttribute('aria-expanded')).to.equal('true');
    toggle(panel, 7).focus();
    await press('Enter');
    expect(toggle(panel, 7).getAttribute('aria-expanded')).to.equal('false');
    const line = existing(row(panel, 7).querySelector('.row-line')).getBoundingClientRect();
    const { left, right, height } = toggle(panel, 7).getBoundingClientRect();
    expect([right, height]).to.deep.equal([line.right, line.height]);
    // Beside what selects it.
    const tick = panel.get('checkbox', `Seleccionar ${numeroOf(7)}`).getBoundingClientRect();
    expect(left - tick.right).to.be.within(0, 16);
    expect(getComputedStyle(toggle(panel, 7)).outlineStyle).to.equal('solid');
    const remedy = panel.button('Levantar', row(panel, 7));
    const box = remedy.getBoundingClientRect();
    const { root } = panel;
    expect(root.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)).to.equal(remedy);
    await resize(panel, 1000, 800);
  });

  it('has the code and its steps where there is one, and what has happened', async () => {
    await click(toggle(panel, 7));
    expect(row(panel, 7).querySelector('.picture')).to.equal(null);
    expect(row(panel, 7).textContent).to.include('Levántala para volver a usarla.');
    // The list alone is no event.
    expect(row(panel, 7).querySelector('ol')).to.equal(null);
    await click(panel.button('Levantar', row(panel, 7)));
    await panel.find('img', `Código QR para vincular ${numeroOf(7)}`);
    const items = () => panel.all('listitem', undefined, row(panel, 7)).map(({ textContent }) => textContent);
    await waitFor(() => expect(items().join()).to.include('Código nuevo'));
    expect(items().join()).to.include('Toca Vincular un dispositivo');
  });

  it('gives the plain number to who copies it, though its digits are in groups', async () => {
    const numero = existing(row(panel, 2).querySelector<HTMLElement>('h3 > span > span'));
    expect(numero.children.length).to.be.above(1);
    const range = document.createRange();
    range.selectNodeContents(numero);
    const selection = existing(getSelection());
    selection.removeAllRanges();
    selection.addRange(range);
    expect(range.toString()).to.equal(numeroOf(2));
    expect(numero.innerText).to.equal(numeroOf(2));
  });
});

describe('the keyboard', () => {
  let panel: Panel;
  beforeEach(async () => {
    ({ panel } = await openPanel({ sessions: sessions(12) }, { view: 'list' }));
  });

  it('moves between rows with the arrows, opens one with Enter, and closes it with Escape', async () => {
    const order = numeros(panel);
    toggleOf(panel, order[0] ?? '').focus();
    await press('ArrowDown', 'ArrowDown', 'ArrowUp');
    expect(panel.focused).to.equal(toggleOf(panel, order[1] ?? ''));
    await press('Enter');
    expect(panel.focused?.getAttribute('aria-expanded')).to.equal('true');
    await press('Escape');
    expect(panel.focused?.getAttribute('aria-expanded')).to.equal('false');
    await press('ArrowUp', 'ArrowUp');
    expect(panel.focused).to.equal(toggleOf(panel, order[0] ?? ''));
  });

  it('reaches the search with /', async () => {
    toggle(panel, 0).focus();
    await press('/');
    expect(panel.focused).to.equal(panel.get('searchbox', 'Buscar'));
    await type('/a');
    expect((panel.focused as HTMLInputElement).value).to.equal('/a');
    await panel.lists([]);
    await press('Escape');
    await waitFor(() => expect(panel.numeros()).to.have.length(12));
    await resize(panel, 360, 740);
    // The magnifier hides it, and brings it back.
    for (let clicks = 0; clicks < 2; clicks++) await click(panel.button('Buscar'));
    expect(panel.focused).to.equal(panel.get('searchbox', 'Buscar'));
    await click(panel.button('Agregar una nueva sesión'));
    const dialog = await panel.openDialog();
    const cancel = panel.button('Cancelar', dialog);
    cancel.focus();
    await press('/');
    expect(panel.focused).to.equal(cancel);
  });

  it('leaves the key to the page while the focus is outside, and combinations always', async () => {
    const outside = document.createElement('button');
    document.body.append(outside);
    const heard: string[] = [];
    const listen = ({ key }: KeyboardEvent) => heard.push(key);
    document.addEventListener('keydown', listen);
    try {
      outside.focus();
      await press('/');
      expect(panel.focused).to.equal(null);
      toggle(panel, 0).focus();
      await chord('Alt', '/');
      expect(panel.focused).to.equal(toggle(panel, 0));
      await press('/');
      expect(panel.focused).to.equal(panel.get('searchbox', 'Buscar'));
      // The third one is the panel's.
      expect(heard.filter((key) => key === '/')).to.have.length(2);
    } finally {
      document.removeEventListener('keydown', listen);
      outside.remove();
    }
  });
});

describe('sixty numbers', () => {
  it('show at least 12 rows at 1280×900 and 6 at 360×740, with names, the bar in place and in one line', async () => {
    await setWindow({ width: 1280, height: 900 });
    const { gateway, panel } = await openPanel({ sessions: sessions(60) }, { view: 'auto' });
    document.body.style.margin = '0';
    for (const index of DOWN)
      await gateway.push(`session:details:${numeroOf(index)}`, { label: `Mostrador del centro ${index}` });
    await panel.find('heading', /^Mostrador del centro 59/);
    expect(visible(panel).length).to.be.at.least(12);
    expect(bar(panel).offsetHeight).to.be.below(65);
    await resize(panel, 360, 740);
    await waitFor(() => expect(visible(panel).length).to.be.at.least(6));
    // Whatever there is to do is said whole, beside its button.
    for (const { scrollHeight, clientHeight } of panel.root.querySelectorAll('.row-line .advice'))
      expect(scrollHeight).to.be.at.most(clientHeight);
    expect(bar(panel).offsetHeight).to.be.below(65);
    document.body.style.margin = '';
  });

  it('keep the bar in one line when some fall, and the panel as wide as its page', async () => {
    await setWindow({ width: 1280, height: 900 });
    const { gateway, panel } = await openPanel({ sessions: sessions(60) }, { view: 'list' });
    document.body.style.margin = '0';
    await gateway.hold({ method: 'GET', path: '/api/session/sessions' });
    for (const number of [1, 2]) await gateway.push(`session:disconnected:${numeroOf(number)}`);
    await panel.find('button', 'Se cayeron 2');
    await waitFor(() => expect(bar(panel).offsetHeight).to.be.below(65));
    await resize(panel, 360, 740);
    await waitFor(() => expect(bar(panel).offsetHeight).to.be.below(65));
    for (const width of [1280, 1000, 700, 640, 360, 320]) {
      await resize(panel, width, 740);
      const cut = [...bar(panel).querySelectorAll('button')].filter(
        ({ clientWidth, scrollWidth }) => clientWidth > 0 && scrollWidth > clientWidth,
      );
      expect(cut, `what is cut at ${width} pixels`).to.deep.equal([]);
      expect(document.documentElement.scrollWidth).to.be.at.most(innerWidth);
    }
    document.body.style.margin = '';
  });

  it('say wherever one has scrolled that some fell, and lead there', async () => {
    const { gateway, panel } = await openPanel({ sessions: sessions(60) }, { view: 'list' });
    // The gateway has not heard of what is pushed here.
    await gateway.hold({ method: 'GET', path: '/api/session/sessions' });
    document.documentElement.scrollTop = 1500;
    await gateway.push(`session:disconnected:${numeroOf(1)}`);
    await gateway.push(`session:disconnected:${numeroOf(2)}`);
    const fell = await panel.find('button', 'Se cayeron 2');
    const { top } = bar(panel).getBoundingClientRect();
    expect(top).to.be.closeTo(0, 1);
    await click(fell);
    await waitFor(() => expect(panel.numeros()).to.have.members([numeroOf(1), numeroOf(2)]));
    await waitFor(() => expect(visible(panel)).to.have.length(2));
    // Somebody acts on one, and the other is back.
    await click(panel.button('Levantar', row(panel, 1)));
    await gateway.push(`session:ready:${numeroOf(2)}`);
    await click(await panel.find('button', 'Se cayeron 0'));
    await waitFor(() => expect(panel.numeros()).to.have.length(60));
  });

  // Safari gives the focus to no button that is clicked.
  for (const [how, press] of [
    ['by a click', click],
    ['by a click that gives no focus', (button: HTMLElement) => button.click()],
  ] as const) {
    it(`stay where they are when one far down is deleted ${how}`, async () => {
      const { panel } = await openPanel({ sessions: sessions(60) }, { view: 'list', order: 'server' });
      row(panel, 50).scrollIntoView({ block: 'center' });
      await waitFor(() => expect(row(panel, 50).dataset).not.to.have.property('outline'));
      await press(toggle(panel, 50));
      await press(await panel.find('button', 'Eliminar Sesión', row(panel, 50)));
      const before = document.documentElement.scrollTop;
      await press(panel.button('Eliminar', await panel.openDialog()));
      await waitFor(() => expect(panel.numeros()).to.have.length(59));
      expect(document.documentElement.scrollTop).to.be.closeTo(before, 10);
      expect(panel.focused?.closest('article')).to.equal(row(panel, 51));
    });
  }

  // Browsers do not anchor what they show where the page is at its top.
  for (const [how, scrolled] of [
    ['has the focus', 0],
    ['has the focus', 800],
    ['is under the pointer', 0],
  ] as const)
    it(`keep all rows where they are while one ${how}, ${scrolled} pixels down, and show what fell once it is left, or the pointer at rest`, async () => {
      const { gateway, panel } = await openPanel({ sessions: sessions(60) }, { view: 'list' });
      const title = panel.get('heading', 'Administrador de Whatsapp Operadores');
      await hover(title);
      document.documentElement.scrollTop = scrolled;
      const used = existing(visible(panel)[2]);
      const button = existing(used.querySelector<HTMLElement>('[aria-expanded]'));
      await waitFor(() => expect(used.dataset).not.to.have.property('outline'));
      if (how === 'has the focus') button.focus();
      else await hover(used);
      const { top } = button.getBoundingClientRect();
      const order = panel.numeros();
      let blurs = 0;
      button.addEventListener('blur', () => {
        blurs += 1;
      });
      const fallen = [50, 55].map(numeroOf);
      await gateway.hold({ method: 'GET', path: '/api/session/sessions' });
      await gateway.pushAll(fallen.map((numero) => ['session:change_state', { numero, state: 'CONFLICT' }]));
      await panel.find('button', 'Se cayeron 2');
      await new Promise((resolve) => setTimeout(resolve, 500));
      expect(panel.numeros()).to.deep.equal(order);
      expect(button.getBoundingClientRect().top).to.be.closeTo(top, 1);
      expect(blurs).to.equal(0);
      button.blur();
      if (how === 'has the focus') await hover(title);
      else jumpAhead(10_000);
      await waitFor(() =>
        expect(panel.numeros().slice(0, 7)).to.have.members([...fallen, ...DOWN.map(numeroOf)]),
      );
    });

  it('keep what has the focus clear of the bar', async () => {
    const { panel } = await openPanel({ sessions: sessions(60) }, { view: 'list' });
    panel.element.style.setProperty('--wo-sticky-top', '50px');
    const last = existing(rows(panel).at(-1));
    // WebKit does not scroll to a focus in what it has not rendered yet.
    last.scrollIntoView();
    existing(last.querySelector<HTMLElement>('[aria-expanded]')).focus();
    expect(bar(panel).getBoundingClientRect().top).to.be.closeTo(50, 1);
    for (let step = 0; step < 25; step += 1) await press('ArrowUp');
    const { top } = existing(panel.focused).getBoundingClientRect();
    expect(top).to.be.at.least(bar(panel).getBoundingClientRect().bottom);
  });
});
