import '../../src/index.ts';
import { waitFor } from '@testing-library/dom';
import { expect } from 'chai';
import { consoleErrors } from '../support/console.ts';
import { click, fill, press } from '../support/input.ts';
import { openPanel } from '../support/panel.ts';

const NUMERO = '5491155550001';
const URL_WITH_PASSWORD = 'socks5://ana:clave@proxy.example:1080';

/** A panel whose server has these extensions. */
async function openWith(...extensions: ('details' | 'label' | 'link' | 'proxy' | 'passkey')[]) {
  const { gateway, panel } = await openPanel({ sessions: [{ numero: NUMERO, state: 'connected' }] });
  await gateway.announce(...extensions);
  const tell = (event: string, payload: unknown) => gateway.push(`session:${event}:${NUMERO}`, payload);
  const card = await panel.card(NUMERO);
  const says = (text: string) => waitFor(() => expect(card.innerText).to.include(text));
  return { gateway, panel, card, tell, says };
}

describe('the proxy of a session', () => {
  it('is set beside its names, keeps what was typed when the server refuses it, and is shown', async () => {
    consoleErrors();
    const { gateway, panel, card, tell, says } = await openWith('details', 'label', 'proxy');
    await tell('details', { proxy: 'old.example:8080' });
    await says('Sale por el proxy old.example:8080');
    await click(await panel.find('button', `Más acciones de ${NUMERO}`));
    await click(await panel.find('menuitem', 'Proxy'));
    const proxy = await waitFor(() => panel.textbox('Proxy', card));
    await waitFor(() => expect(panel.focused).to.equal(proxy));
    expect(proxy.value).to.equal('old.example:8080');
    expect(panel.textbox('Nombre', card).checkVisibility()).to.equal(true);
    const details = { method: 'PUT', path: '/api/session/*/details', times: 1 };
    await gateway.answer(details, { status: 422, json: { message: 'El proxy no responde.' } });
    await fill(proxy, URL_WITH_PASSWORD);
    await press('Enter');
    await waitFor(() => expect(panel.advice(proxy)).to.equal('El proxy no responde.'));
    expect(proxy.value).to.equal(URL_WITH_PASSWORD);
    await gateway.answer(details, { json: { proxy: 'proxy.example:1080', exit: '203.0.113.7' } });
    await press('Enter');
    await says('Sale por el proxy proxy.example:1080 (IP 203.0.113.7)');
    expect(proxy.isConnected).to.equal(false);
    expect((await gateway.requests('PUT')).map(({ body }) => body)).to.deep.equal([
      { proxy: URL_WITH_PASSWORD },
      { proxy: URL_WITH_PASSWORD },
    ]);
  });

  it('is edited alone where names are not, and what was typed in them is kept', async () => {
    const { gateway, panel, card } = await openWith('details', 'label', 'proxy');
    await click(await panel.find('button', `Más acciones de ${NUMERO}`));
    await click(await panel.find('menuitem', 'Nombre y grupo'));
    const name = await waitFor(() => panel.textbox('Nombre', card));
    await fill(name, 'Ventas');
    panel.element.labels = {};
    await waitFor(() => expect(name.checkVisibility()).to.equal(false));
    await gateway.answer({ method: 'PUT', path: '/api/session/*/details', times: 1 }, { status: 503 });
    consoleErrors();
    await fill(panel.textbox('Proxy', card), URL_WITH_PASSWORD);
    await press('Enter');
    await waitFor(async () => expect(await gateway.requests('PUT')).to.have.length(1));
    expect((await gateway.requests('PUT'))[0]?.body).to.deep.equal({ proxy: URL_WITH_PASSWORD });
    panel.element.labels = undefined;
    await waitFor(() => expect(name.checkVisibility()).to.equal(true));
    expect(name.value).to.equal('Ventas');
  });
});

describe('the step of a passkey', () => {
  it("is the server's words, and 'Continuar' does what it takes", async () => {
    const { gateway, panel, tell, says } = await openWith('details', 'link', 'passkey');
    await gateway.push('session:change_state', { numero: NUMERO, state: 'AUTENTICANDO...' });
    await tell('passkey', { step: 'confirm', text: 'Compara 1234' });
    await says('Compara 1234');
    const confirm = { method: 'POST', path: '/api/session/*/passkey' };
    await gateway.answer(confirm, { json: {} });
    await click(panel.button('Continuar'));
    await waitFor(async () => expect(await gateway.requests('POST')).to.have.length(1));
    const made = { id: 'own', url: 'https://gateway.example/l/#x', expires: Date.now() + 600_000 };
    await gateway.answer({ method: 'POST', path: '/api/session/*/link' }, { json: made });
    await tell('passkey', { step: 'sign', text: 'Confírmala' });
    await says('Confírmala');
    await click(panel.button('Continuar'));
    await panel.find('heading', /^Confirmar la llave de acceso de /);
    const dialog = await panel.openDialog();
    await waitFor(() => expect(dialog.textContent).to.include('en una computadora, cerca del teléfono'));
    await press('Escape');
    // Nothing is left to do.
    await tell('passkey', { step: 'wait', text: 'WhatsApp la comprueba' });
    await says('El teléfono se está vinculando.');
    expect(panel.all('button', 'Continuar')).to.deep.equal([]);
  });

  it('opens its page in a new tab, which cannot reach the panel', async () => {
    const { panel, tell, says, gateway } = await openWith('details', 'passkey');
    await gateway.push('session:change_state', { numero: NUMERO, state: 'AUTENTICANDO...' });
    await tell('passkey', { step: 'sign', text: 'Confírmala', url: 'https://example.com/sign' });
    await says('Confírmala');
    const { open } = window;
    const opened: unknown[][] = [];
    window.open = (...args) => {
      opened.push(args);
      return null;
    };
    try {
      await click(panel.button('Continuar'));
    } finally {
      window.open = open;
    }
    expect(opened).to.deep.equal([['https://example.com/sign', '_blank', 'noopener']]);
  });
});
