import '../../src/index.ts';
import { waitFor } from '@testing-library/dom';
import { expect } from 'chai';
import { startGateway } from '../support/gateway.ts';
import { click, fill } from '../support/input.ts';
import { mountReady, openPanel } from '../support/panel.ts';

const LIST = { method: 'GET', path: '/api/session/sessions' };
const NUMERO = '5491155550001';

describe('a list', () => {
  it('that is a sign-in page with status 200 is told once, runs no script and can be asked for again', async () => {
    const gateway = await startGateway({ sessions: [{ numero: NUMERO, state: 'connected' }] });
    await gateway.answer(LIST, {
      headers: { 'content-type': 'text/html' },
      body: '<!doctype html><title>Entrar</title><script>document.title = "hacked"</script>',
    });
    const panel = await mountReady(gateway);
    const reason = 'El servidor respondió con una página web; tal vez tengas que iniciar sesión de nuevo.';
    await panel.notice(reason);
    expect(panel.notices()).to.deep.equal([reason]);
    await waitFor(() => expect(panel.text).to.include('No se pudo cargar la lista de sesiones'));
    expect(panel.busy).to.equal(false);
    await click(panel.button('Cerrar'));
    await waitFor(() => expect(panel.notices()).to.deep.equal([]));
    expect(panel.get('button', 'Reintentar').parentElement?.textContent).to.include(reason);
    // The panel asks again by itself too, and the button would be gone.
    const json = [{ numero: NUMERO, state: 'CONNECTED', waiting: false }];
    const release = await gateway.hold(LIST, { json });
    await click(await panel.find('button', 'Reintentar'));
    await release();
    await panel.card(NUMERO);
    expect(panel.text).not.to.include('No se pudo cargar');
    expect(document.title).not.to.equal('hacked');
  });

  it('with HTML shows it as text', async () => {
    const html = '<img src=x onerror="document.title=\'hacked\'">';
    const gateway = await startGateway({ sessions: [] });
    await gateway.answer(LIST, { json: [{ numero: html, state: `<b>${html}</b>`, waiting: false }] });
    const panel = await mountReady(gateway);
    expect(panel.numeros()).to.deep.equal([html]);
    expect(panel.text).to.include(`<b>${html}</b>`);
    expect(panel.root.querySelector('img, b')).to.equal(null);
    await gateway.answer({ method: 'GET', path: '/api/session/levanta/*' }, { json: { numero: html } });
    await click(panel.button('Levantar Sesión'));
    await panel.notice(`La sesión de ${html} comenzará a levantarse`);
    expect(document.title).not.to.equal('hacked');
  });

  for (const [what, code] of [
    ['is too long', 'x'.repeat(1274)],
    ['has half a character', '2@\ud83d'],
  ] as const)
    it(`with a code that ${what} says that it cannot be drawn, and goes on`, async () => {
      const { gateway, panel } = await openPanel({ sessions: [{ numero: NUMERO, state: 'disconnected' }] });
      await fill(panel.textbox('Mensaje de Prueba'), 'sigue aquí');
      await gateway.push(`session:qr:${NUMERO}`, code);
      await waitFor(() =>
        expect(panel.text).to.include('El código QR que envió el servidor no se puede dibujar.'),
      );
      expect(panel.textbox('Mensaje de Prueba').value).to.equal('sigue aquí');
      await gateway.push(`session:qr:${NUMERO}`, '2@corto');
      await panel.find('img', `Código QR para vincular ${NUMERO}`);
    });
});
