import '../../src/index.ts';
import { waitFor } from '@testing-library/dom';
import { expect } from 'chai';
import { consoleErrors } from '../support/console.ts';
import { startGateway } from '../support/gateway.ts';
import { click } from '../support/input.ts';
import { mountReady } from '../support/panel.ts';

const NUMERO = '5491155550001';
const LIST = { method: 'GET', path: '/api/session/sessions' };
const START = { method: 'GET', path: `/api/session/levanta/${NUMERO}` };
/** In place of the gateway's own header, which forbids it. */
const CACHEABLE = { 'cache-control': 'public' };

describe("the browser's cache never answers for the server:", () => {
  const cacheable: { what: string; headers: Record<string, string> }[] = [
    { what: 'max-age', headers: { 'cache-control': 'max-age=3600' } },
    { what: 'Last-Modified', headers: { ...CACHEABLE, 'last-modified': 'Mon, 01 Jan 2024 00:00:00 GMT' } },
  ];
  for (const { what, headers } of cacheable) {
    it(`each start reaches it, also after an answer with ${what}`, async () => {
      const gateway = await startGateway({ sessions: [{ numero: NUMERO, state: 'disconnected' }] });
      await gateway.answer(START, {
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ numero: NUMERO }),
      });
      const panel = await mountReady(gateway);
      for (let starts = 1; starts <= 3; starts += 1) {
        const button = panel.button('Levantar Sesión');
        await waitFor(() => expect(button.ariaDisabled).to.equal(null));
        await click(button);
        await waitFor(async () => expect(await gateway.requests('GET', START.path)).to.have.length(starts));
      }
    });
  }

  const lasting: { status: number; headers: Record<string, string> }[] = [
    { status: 410, headers: { 'cache-control': 'max-age=3600' } },
    { status: 301, headers: { ...CACHEABLE, location: '/api/gone' } },
    { status: 308, headers: { ...CACHEABLE, location: '/api/gone' } },
    { status: 300, headers: { ...CACHEABLE, location: '/api/gone' } },
  ];
  for (const { status, headers } of lasting) {
    it(`a list can be had again after a ${status}`, async () => {
      consoleErrors();
      const gateway = await startGateway({ sessions: [{ numero: NUMERO, state: 'connected' }] });
      await gateway.answer(LIST, { status, headers });
      const panel = await mountReady(gateway);
      const retry = await panel.find('button', 'Reintentar');
      await gateway.liftFaults();
      await click(retry);
      await panel.card(NUMERO);
      expect(panel.text).not.to.include('No se pudo cargar');
    });
  }
});
