import '../../src/index.ts';
import { waitFor } from '@testing-library/dom';
import { expect } from 'chai';
import { startGateway } from '../support/gateway.ts';
import { Panel } from '../support/panel.ts';

const NUMERO = '5491155550001';

describe('cookies', () => {
  // biome-ignore-start lint/suspicious/noDocumentCookie: the cookie store of WebKitGTK 2.50 keeps nothing
  afterEach(() => {
    document.cookie = 'sid=; path=/; max-age=0';
  });

  for (const credentials of ['include', 'same-origin'] as const) {
    it(`of another origin, with credentials="${credentials}"`, async () => {
      document.cookie = 'sid=galleta; path=/';
      // biome-ignore-end lint/suspicious/noDocumentCookie: as above
      const gateway = await startGateway({ sessions: [{ numero: NUMERO, state: 'connected' }] });
      // The same site as this page, and another origin: cookies ignore ports.
      const url = gateway.url.replace('127.0.0.1', location.hostname);
      const element = document.createElement('whatsapp-operadores');
      Object.assign(element, { apiBase: `${url}/api`, socketOrigin: url, credentials });
      document.body.append(element);
      await new Panel(element).card(NUMERO);
      await waitFor(async () => expect(await gateway.handshakes()).to.have.length(1));
      const [request] = await gateway.requests();
      const [handshake] = await gateway.handshakes();
      const expected = credentials === 'include';
      expect(String(request?.headers.cookie).includes('sid=galleta')).to.equal(expected);
      expect(String(handshake?.cookie).includes('sid=galleta')).to.equal(expected);
    });
  }
});
