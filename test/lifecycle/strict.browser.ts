import { leftoversOf } from '../support/leftovers.ts';
import '../support/strict-panel.ts';
import { waitFor } from '@testing-library/dom';
import { expect } from 'chai';
import { isChromium } from '../support/browser.ts';
import { holdClipboard, releaseClipboard } from '../support/clipboard.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { click, fill, press, type } from '../support/input.ts';
import { mountReady, type Panel } from '../support/panel.ts';

const SESSIONS = 10;
const numeroOf = (index: number) => String(5491155550000 + index);
/** The sessions that are DESCONECTADO. */
const DOWN = [1, 2, 3];
const NEW = '34600000001';

/** What a panel asked for beside the list, in order. */
async function calls(gateway: Gateway): Promise<string[]> {
  const requests = await gateway.requests();
  return requests
    .map(({ method, path }) => `${method} ${path.replace('/api/', '')}`)
    .filter((call) => call !== 'GET session/sessions');
}

describe('in development React, under StrictMode', () => {
  it("an operator's day makes each call once, logs nothing, and leaves nothing running", async function () {
    // The stacks that tell whose timer it is differ elsewhere, and React is the same.
    if (!isChromium) this.skip();
    const gateway = await startGateway({
      sessions: Array.from({ length: SESSIONS }, (_, index) => ({
        numero: numeroOf(index),
        state: DOWN.includes(index) ? ('disconnected' as const) : ('connected' as const),
      })),
    });
    const remove = async ({ element, root }: Panel) => {
      element.remove();
      await waitFor(() => expect(root.childElementCount).to.equal(0));
      await waitFor(async () => expect(await gateway.socketCount()).to.equal(0));
    };
    // React never takes back what it once adds to a document.
    await remove(await mountReady(gateway));
    const before = leftoversOf('/strict-panel.js').length;
    const panel = await mountReady(gateway);
    const expected: string[] = [];
    /** Waits for a call, and holds that there was no other since the one before. */
    const toCall = async (...made: string[]) => {
      expected.push(...made);
      await waitFor(async () => expect((await calls(gateway)).toSorted()).to.deep.equal(expected.toSorted()));
    };
    const closed = () => waitFor(() => expect(panel.dialog()).to.equal(null));
    const menu = async (numero: string, item: string) => {
      await panel.card(numero);
      await click(await panel.find('button', `Más acciones de ${numero}`));
      await click(await panel.find('menuitem', item));
    };

    // A session is added; its code is enlarged, had in letters, and scanned.
    const adding = await panel.openAddDialog();
    await fill(panel.textbox('Número de teléfono', adding), NEW);
    await press('Enter');
    await toCall(`GET session/levanta/${NEW}`);
    await closed();
    await click(await panel.find('button', `Ampliar el código QR de ${NEW}`));
    const code = await panel.openDialog();
    await click(await panel.find('button', 'Escribir un código', code));
    await toCall(`POST session/${NEW}/pairing`);
    await panel.find('timer', undefined, code);
    await gateway.phone(NEW).scan();
    await waitFor(async () => expect((await panel.card(NEW)).textContent).to.include('CONNECTED'));
    await press('Escape');
    await closed();

    // One that is down is started, and sends a message once it is there.
    const down = await panel.card(numeroOf(1));
    await click(panel.button('Levantar Sesión', down));
    await toCall(`GET session/levanta/${numeroOf(1)}`);
    const card = await panel.card(numeroOf(0));
    await fill(panel.textbox('Mensaje de Prueba', card), 'Hola');
    await fill(panel.textbox('Número', card), '5215550002222');
    await click(panel.button('Enviar Mensaje', card));
    await toCall('POST message');
    await waitFor(() => expect(card.textContent).to.match(/Aceptado|Enviado|Entregado|Leído/));

    // It gets a name and a group.
    await menu(numeroOf(0), 'Nombre y grupo');
    await waitFor(() => expect(panel.focused).to.equal(panel.textbox('Nombre', card)));
    await type('Cobranza');
    await press('Tab');
    await type('Norte');
    await press('Enter');
    await toCall(`PUT session/${numeroOf(0)}/details`);
    await panel.find('article', /Cobranza/);

    // A link is sent for another, and revoked.
    await menu(numeroOf(2), 'Enviar enlace');
    const link = await panel.openDialog();
    await panel.find('timer', undefined, link);
    await toCall(`POST session/${numeroOf(2)}/link`);
    await holdClipboard();
    await click(panel.button('Copiar', link));
    await panel.notice('Copiado');
    await releaseClipboard();
    await click(panel.button('Anular', link));
    await toCall(`DELETE session/${numeroOf(2)}/link`);
    await closed();

    // The history, and a phone that is unlinked.
    await click(panel.button(`Historial de ${numeroOf(4)}`, await panel.card(numeroOf(4))));
    await waitFor(() => expect(panel.dialog()?.textContent).to.include('No hay nada anterior.'));
    await toCall(`GET session/${numeroOf(4)}/history`);
    await press('Escape');
    await closed();
    await menu(numeroOf(4), 'Desvincular');
    await click(panel.button('Desvincular', await panel.openDialog()));
    await toCall(`POST session/${numeroOf(4)}/unlink`);
    await closed();

    // The filter, the order, and the other view. Notices may stand above the bar.
    await waitFor(() => {
      for (const close of panel.all('button', 'Cerrar')) close.click();
      expect(panel.notices()).to.deep.equal([]);
    });
    await click(panel.get('searchbox'));
    await type('0007');
    await waitFor(() => expect(panel.numeros()).to.deep.equal([numeroOf(7)]));
    await fill(panel.textbox(/Mensaje/, await panel.card(numeroOf(7))), 'Borrador');
    await click(panel.get('searchbox'));
    await press('Escape');
    await waitFor(() => expect(panel.numeros().length).to.be.above(SESSIONS));
    await click(panel.button('Lista'));
    await click(await panel.find('button', /^\d+ conectadas$/));
    await click(await panel.find('button', `Abrir ${numeroOf(7)}`));
    const opened = await panel.card(numeroOf(7));
    await waitFor(() => expect(panel.textbox('Mensaje de Prueba', opened).value).to.equal('Borrador'));
    await click(panel.button('Tarjetas'));
    await waitFor(() => expect(panel.root.querySelectorAll('article [aria-expanded]')).to.have.length(0));

    // Several are started at once.
    await click(panel.get('checkbox', `Seleccionar ${numeroOf(2)}`, await panel.card(numeroOf(2))));
    await click(panel.get('checkbox', `Seleccionar ${numeroOf(3)}`, await panel.card(numeroOf(3))));
    await click(panel.button('Levantar (2)'));
    await toCall(`GET session/levanta/${numeroOf(2)}`, `GET session/levanta/${numeroOf(3)}`);

    // A phone falls, the connection is lost and comes back, and a session is deleted.
    await gateway.phone(numeroOf(5)).logOut();
    await waitFor(() => expect(panel.text).to.include('Se cayó'));
    await gateway.disconnectSockets();
    await waitFor(async () => expect(await gateway.socketCount()).to.equal(1));
    await panel.deleteSession(await panel.card(numeroOf(6)));
    await toCall(`DELETE session/${numeroOf(6)}`);
    await waitFor(() => expect(panel.numeros()).not.to.include(numeroOf(6)));
    await closed();

    await remove(panel);
    await waitFor(() => expect(leftoversOf('/strict-panel.js').slice(before)).to.deep.equal([]));
  });
});
