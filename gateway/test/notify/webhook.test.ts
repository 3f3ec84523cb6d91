import assert from 'node:assert/strict';
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import net from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { Webhook as Verifier } from 'standardwebhooks';
import { listening } from '../../../test/support/listening.ts';
import { PATIENCE } from '../../../test/support/patience.ts';
import type { Notification } from '../../src/notify/notification.ts';
import { Webhook } from '../../src/notify/webhook.ts';
import { SECRET } from './support/receiver.ts';

const NOTIFICATION: Notification = {
  id: 'msg_1',
  at: Date.UTC(2026, 10, 24, 9),
  total: 60,
  counts: { unlinked: 1 },
  items: [
    {
      numero: '5215550001111',
      event: 'unlinked',
      name: 'Recepción',
      state: 'DESCONECTADO',
      reason: 'WhatsApp cerró la sesión.',
      until: Date.UTC(2026, 10, 24, 10),
      since: Date.UTC(2026, 10, 24, 8),
    },
  ],
};

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A server that answers as a test wants, with what it has received. */
async function startEndpoint(
  t: TestContext,
  answer: RequestListener = (_request, response) => response.end(),
): Promise<{ port: number; url: string; received: Received[] }> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      received.push({ headers: request.headers, body });
      answer(request, response);
    });
  });
  const port = await listening(t, server);
  return { port, url: `http://127.0.0.1:${port}/avisos`, received };
}

function webhook(t: TestContext, url: string, timeout?: number): Webhook {
  const one = new Webhook({ url, secret: SECRET }, timeout);
  t.after(() => one.close());
  return one;
}

/** A receiver whose answer never ends; `left` resolves once the webhook has closed the connection. */
async function startDrip(t: TestContext, begin: string, more: string) {
  const server = net.createServer();
  const left = new Promise<void>((resolve) => {
    server.on('connection', (socket) => {
      let drip: NodeJS.Timeout | undefined;
      socket.once('data', () => {
        socket.write(begin);
        drip = setInterval(() => socket.write(more), 20);
      });
      socket.on('error', () => {});
      socket.on('close', () => {
        clearInterval(drip);
        resolve();
      });
      t.after(() => socket.destroy());
    });
  });
  return { url: `http://127.0.0.1:${await listening(t, server)}/`, left };
}

describe('a webhook', () => {
  it('receives what a library of Standard Webhooks accepts', async (t) => {
    const { url, received } = await startEndpoint(t);
    await webhook(t, url).deliver(NOTIFICATION);
    const [{ headers, body } = assert.fail()] = received;
    const verified = new Verifier(SECRET).verify(body, {
      'webhook-id': String(headers['webhook-id']),
      'webhook-timestamp': String(headers['webhook-timestamp']),
      'webhook-signature': String(headers['webhook-signature']),
    });
    assert.equal(headers['webhook-id'], 'msg_1');
    assert.deepEqual(verified, {
      type: 'sessions.changed',
      timestamp: '2026-11-24T09:00:00.000Z',
      data: {
        text: 'Recepción (5215550001111) necesita que la vinculen de nuevo. WhatsApp cerró la sesión.',
        total: 60,
        counts: { unlinked: 1 },
        sessions: [
          {
            numero: '5215550001111',
            event: 'unlinked',
            name: 'Recepción',
            state: 'DESCONECTADO',
            reason: 'WhatsApp cerró la sesión.',
            since: '2026-11-24T08:00:00.000Z',
            until: '2026-11-24T10:00:00.000Z',
          },
        ],
      },
    });
  });

  it('that redirects is not followed, and has not accepted anything', async (t) => {
    const target = await startEndpoint(t);
    const { url } = await startEndpoint(t, (_request, response) =>
      response.writeHead(307, { Location: target.url }).end(),
    );
    await assert.rejects(webhook(t, url).deliver(NOTIFICATION), { code: 'HTTP_307' });
    assert.deepEqual(target.received, []);
  });

  for (const status of [400, 410, 500]) {
    it(`that answers ${status} has not accepted anything`, async (t) => {
      const { url } = await startEndpoint(t, (_request, response) => response.writeHead(status).end('no'));
      await assert.rejects(webhook(t, url).deliver(NOTIFICATION), { code: `HTTP_${status}` });
    });
  }

  it('has accepted with its status, even if the rest of its answer never comes', async (t) => {
    const { url } = await startEndpoint(t, (_request, response) => response.writeHead(200).write('…'));
    await webhook(t, url).deliver(NOTIFICATION);
  });

  for (const [what, begin, more] of [
    ['answers with hints only', 'HTTP/1.1 103 Early Hints\r\n\r\n', 'HTTP/1.1 103 Early Hints\r\n\r\n'],
    ['answers a byte at a time', 'HTTP/1.1 200 OK\r\n\r\n', '.'],
  ] as const) {
    it(`that ${what} is left after a while`, { timeout: PATIENCE }, async (t) => {
      const { url, left } = await startDrip(t, begin, more);
      await webhook(t, url, 100)
        .deliver(NOTIFICATION)
        .catch(({ name }) => assert.equal(name, 'TimeoutError'));
      await left;
    });
  }

  it('that hangs is left after a while', async (t) => {
    const { url } = await startEndpoint(t, () => {});
    await assert.rejects(webhook(t, url, 100).deliver(NOTIFICATION), {
      name: 'TimeoutError',
    });
  });
});
