import { randomUUID } from 'node:crypto';
import type { AckStatus } from '../../../src/wire.ts';
import type { Engine } from './engine.ts';
import type { EngineObserver } from './engine-news.ts';
import { type FailedContact, SendFailure } from './errors.ts';
import type { Push } from './transitions.ts';

/**
 * Sends a text to each number, and returns an id for the acks that are pushed. Tries all of them; rejects with a
 * `SendFailure` that names those that failed.
 */
export async function sendToAll(
  { engine, observe }: { readonly engine: Engine; readonly observe: EngineObserver },
  numero: string,
  contacts: readonly number[],
  text: string,
  push: (push: Push) => void,
): Promise<string> {
  const id = randomUUID();
  const failed: FailedContact[] = [];
  for (const contacto of contacts) {
    const acked = (status: AckStatus) => {
      const reason = status === 'failed' ? { reason: 'WhatsApp lo rechazó' } : {};
      push({ event: 'ack', numero, ack: { id, remitente: numero, contacto, status, ...reason } });
    };
    const contact = String(contacto);
    const begun = performance.now();
    const delivery = await engine.send(numero, contact, text, acked);
    observe(numero, { type: 'message', delivery, milliseconds: performance.now() - begun });
    if (delivery === 'sent') acked('server');
    else failed.push({ contact, reason: delivery });
  }
  if (failed.length > 0) throw new SendFailure(failed);
  return id;
}
