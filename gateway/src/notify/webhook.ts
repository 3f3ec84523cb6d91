import { createHmac } from 'node:crypto';
import { Agent, request } from 'undici';
import { type Messenger, Undelivered } from './messenger.ts';
import type { Notification } from './notification.ts';
import { textOf } from './text.ts';

/** Longest wait for the receiver, in milliseconds. */
const TIMEOUT = 15_000;
/** Shortest time between two notifications, in milliseconds. */
const INTERVAL = 60_000;
/** How the secrets of Standard Webhooks begin. */
const PREFIX = 'whsec_';

export interface WebhookOptions {
  /** Receives the notifications by POST. */
  readonly url: string;
  /** Signs them: `whsec_` and 24 to 64 bytes in base64, as https://www.standardwebhooks.com says. */
  readonly secret: string;
}

/** Sends notifications to a URL, signed as Standard Webhooks specify. */
export class Webhook implements Messenger {
  readonly name = 'webhook';
  readonly interval = INTERVAL;
  /** By its id. */
  readonly isRepeatable = true;
  readonly #options: WebhookOptions;
  readonly #timeout: number;
  readonly #agent: Agent;

  /** @param timeout longest wait for the receiver, in milliseconds */
  constructor(options: WebhookOptions, timeout = TIMEOUT) {
    this.#options = options;
    this.#timeout = timeout;
    this.#agent = new Agent({ pipelining: 0 });
  }

  isReady(): boolean {
    return true;
  }

  async deliver(notification: Notification): Promise<void> {
    const { id, at, total, counts, items } = notification;
    const data = { text: textOf(notification, Date.now()), total, counts, sessions: items.map(wireItem) };
    await this.#post(id, { type: 'sessions.changed', timestamp: iso(at), data });
  }

  /** Sends a notification that says that it is a test. Rejects as {@link deliver} does. */
  async test(id: string, text: string): Promise<void> {
    await this.#post(id, { type: 'test', timestamp: iso(Date.now()), data: { text } });
  }

  /** Ends the connections. */
  async close(): Promise<void> {
    await this.#agent.destroy();
  }

  async #post(id: string, message: object): Promise<void> {
    const { url, secret } = this.#options;
    const payload = JSON.stringify(message);
    const timestamp = String(Math.floor(Date.now() / 1_000));
    const { statusCode, body } = await request(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'whatsapp-operadores',
        'webhook-id': id,
        'webhook-timestamp': timestamp,
        'webhook-signature': `v1,${signature(secret, `${id}.${timestamp}.${payload}`)}`,
      },
      body: payload,
      dispatcher: this.#agent,
      // The agent's own timeouts begin anew with each interim response, and with each byte of a body.
      signal: AbortSignal.timeout(this.#timeout),
    });
    // Only the status counts.
    void body.dump().catch(() => {});
    // A redirect could lead to where the operator did not want to send anything.
    if (statusCode < 200 || statusCode >= 300) throw new Undelivered(`HTTP_${statusCode}`);
  }
}

function wireItem({ since, until, ...item }: Notification['items'][number]) {
  return {
    ...item,
    since: iso(since),
    ...(until !== undefined && { until: iso(until) }),
  };
}

function iso(at: number): string {
  return new Date(at).toISOString();
}

function signature(secret: string, content: string): string {
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
  return createHmac('sha256', key).update(content).digest('base64');
}
