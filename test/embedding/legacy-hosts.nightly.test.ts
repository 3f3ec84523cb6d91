import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, test } from 'node:test';
import { type DemoPage, inBrowser } from '../demo/demo-page.ts';
import { NUMERO, SnippetPage } from '../readme/snippet-page.ts';
import { findPrototype } from '../support/find-prototype.mjs';
import { resolveNightly } from '../support/nightly-packages.ts';
import { until } from '../support/until.ts';

const { resolve } = createRequire(import.meta.url);
const PANEL = `<whatsapp-operadores api-base="/api" provider="Altamar"></whatsapp-operadores>`;
const SCRIPT = '<script src="whatsapp-operadores.js"></script>';

/** A page's own code, before that of the panel. */
const script = (...texts: string[]) =>
  texts.map((text) => `<script>${text.replaceAll('</script', '<\\/script')}</script>`).join('');
const library = (path: string) => readFileSync(path, 'utf8');
const jquery = () => library(resolveNightly('jquery/dist/jquery.js'));
const prototype = () => {
  const path = findPrototype();
  if (!path) throw new Error('Prototype is missing: node test/support/ensure-host-libraries.mjs');
  return library(path);
};
/** What Prototype 1.6 gives arrays and 1.7 does not, where the browser knows JSON. */
const ARRAYS_OF_PROTOTYPE_16 = `Array.prototype.toJSON = function () {
  return '[' + this.map((item) => Object.toJSON(item)).join(', ') + ']';
};`;
/** As ASP.NET's WebForms.js does it: Enter in the form presses its default button, and nothing else. */
const FIRE_DEFAULT_BUTTON = `function WebForm_FireDefaultButton(event, target) {
  if (event.keyCode !== 13) return true;
  const { tagName } = event.srcElement || event.target;
  if (tagName && tagName.toLowerCase() === 'textarea') return true;
  document.getElementById(target).click();
  event.cancelBubble = true;
  event.stopPropagation();
  return false;
}`;

const MODALS: Record<string, () => string> = {
  'Bootstrap 3': () =>
    `${script(jquery(), library(resolveNightly('bootstrap-3/dist/js/bootstrap.js')))}${SCRIPT}
     <div class="modal" id="host" tabindex="-1">${PANEL}</div>${script("$('#host').modal()")}`,
  'Bootstrap 5': () =>
    `${script(library(resolve('bootstrap/dist/js/bootstrap.bundle.js')))}${SCRIPT}
     <div class="modal" id="host" tabindex="-1" style="display: none"><div class="modal-dialog">${PANEL}</div></div>
     ${script("new bootstrap.Modal('#host').show()")}`,
  'jQuery UI': () =>
    `${script(jquery(), library(resolveNightly('jquery-ui/dist/jquery-ui.js')))}${SCRIPT}
     <div id="host">${PANEL}</div>${script("$('#host').dialog({ width: 1000 })")}`,
};

describe('in a page with', () => {
  let portal: SnippetPage;
  let demo: DemoPage;

  const browser = inBrowser(() => ({ demo, gateway: portal.gateway }));

  async function open(body: string): Promise<void> {
    portal = new SnippetPage(body);
    demo = await portal.open(browser());
    await demo.says('panel', NUMERO, 'CONNECTED');
  }

  const press = (...keys: Parameters<DemoPage['page']['keyboard']['press']>[0][]) =>
    keys.reduce((before, key) => before.then(() => demo.page.keyboard.press(key)), Promise.resolve());

  const isThere = async (selector: string) =>
    (await demo.page.$(`whatsapp-operadores >>> ${selector}`)) !== null;
  const gone = (selector: string) => until(async () => !(await isThere(selector)), `${selector} to close`);
  const isHostOpen = () =>
    demo.page.$eval('#host', (element) => element.checkVisibility({ visibilityProperty: true }));

  /** Types a test message, and sends it by Enter. */
  async function send(): Promise<void> {
    const card = await demo.article('panel', NUMERO);
    const [text, to] = await card.$$('.test-message input');
    await text?.type('Hola');
    await to?.type('34600111222');
    await press('Enter');
  }

  for (const [name, body] of Object.entries(MODALS)) {
    test(`the modal dialog of ${name}, Escape closes what is open in the panel, and only then the dialog`, async () => {
      await open(body());
      await demo.click('button', `Historial de ${NUMERO}`);
      await demo.page.waitForSelector('whatsapp-operadores >>> dialog[open]');
      await press('Escape');
      await gone('dialog');
      assert.equal(await isHostOpen(), true);

      await demo.click('button', `Más acciones de ${NUMERO}`);
      await demo.page.waitForSelector('whatsapp-operadores >>> [role="menu"]');
      await press('Escape');
      await gone('[role="menu"]');
      assert.equal(await isHostOpen(), true);

      await press('Escape');
      await until(async () => !(await isHostOpen()), 'the dialog of the page to close');
    });
  }

  test('a default button of WebForms, Enter sends the message, and Escape and letters stay where they are', async () => {
    await open(`${script(FIRE_DEFAULT_BUTTON, 'pressed = 0; shortcuts = []')}${SCRIPT}
      <form onsubmit="return false" onkeypress="return WebForm_FireDefaultButton(event, 'default')">
        <button id="default" onclick="pressed += 1">Buscar</button>${PANEL}
      </form>
      ${script("document.addEventListener('keydown', ({ key }) => shortcuts.push(key))")}`);
    await send();
    await demo.tells('Mensaje enviado a 34600111222');
    assert.deepEqual(await demo.page.evaluate('[pressed, shortcuts]'), [0, []]);
  });

  const replacing: Record<string, () => string> = {
    MooTools: () => library(resolveNightly('mootools')),
    'Prototype 1.7': prototype,
    'Prototype 1.6': () => prototype() + ARRAYS_OF_PROTOTYPE_16,
  };
  for (const [name, code] of Object.entries(replacing)) {
    test(`${name}, a message is sent and the list stays; the console says that there are no notices`, async () => {
      await open(`${script(code())}${SCRIPT}${PANEL}`);
      await send();
      await demo.says('panel', NUMERO, 'Entregado');
      const said = demo.complaints.filter((line) => line.includes('the page replaces Array.from'));
      assert.equal(said.length, 1, demo.complaints.join('\n'));
    });
  }

  test('zoom, the menu opens at its button', async () => {
    await open(`<style>body { zoom: .8 }</style>${SCRIPT}${PANEL}`);
    const button = await demo.byRole('button', `Más acciones de ${NUMERO}`);
    await button.asLocator().click();
    const menu = await demo.page.waitForSelector('whatsapp-operadores >>> [role="menu"]');
    const rights = [button, menu].map((element) =>
      element?.evaluate((one) => Math.round(one.getBoundingClientRect().right)),
    );
    const [ofButton, ofMenu] = await Promise.all(rights);
    assert.equal(ofMenu, ofButton);
  });
});
