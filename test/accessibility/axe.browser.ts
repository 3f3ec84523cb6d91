import '../../src/index.ts';
import axe from 'axe-core';
import { expect } from 'chai';
import { resize } from '../support/viewport.ts';
import { scenes } from './scenes.ts';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

describe('axe finds nothing', () => {
  const root = document.documentElement;
  let main: HTMLElement;
  beforeEach(() => {
    main = document.createElement('main');
    document.body.append(main);
  });
  afterEach(() => {
    main.replaceWith(...main.querySelectorAll('whatsapp-operadores'));
    root.removeAttribute('style');
  });

  for (const [name, show] of Object.entries(scenes)) {
    it(`in ${name}, light and dark, narrow and wide`, async () => {
      const panel = await show();
      // Rules about whole pages require a main landmark, and headings, which a page has around one session.
      if (panel.element.numero) main.innerHTML = '<h1>Cliente</h1><h2>WhatsApp</h2>';
      main.append(panel.element);
      hold(panel.root);
      for (const width of [320, 1280]) {
        // As high as a list with an open row: the tools for the selection stand over what is at the screen's lower edge.
        await resize(panel, width, 1000);
        for (const colorScheme of ['light', 'dark']) {
          root.style.colorScheme = colorScheme;
          root.style.backgroundColor = 'Canvas';
          // What is scrolled below the bar counts as covered.
          scrollTo(0, 0);
          expect(await problems(), `${width} pixels, ${colorScheme}`).to.deep.equal([]);
        }
      }
    });
  }
});

/** Turns off transitions and animations: axe would measure colours half-way. */
function hold(root: ShadowRoot): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('* { transition: none !important; animation: none !important }');
  root.adoptedStyleSheets.push(sheet);
}

async function problems(): Promise<string[]> {
  const { violations } = await axe.run(document, { runOnly: TAGS, resultTypes: ['violations'] });
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`),
  );
}
