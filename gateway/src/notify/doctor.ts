import { randomUUID } from 'node:crypto';
import { type Diagnosis, diagnose, Fault, Unsettled } from '../diagnosis.ts';
import { reasonOf } from '../ledger/operations.ts';
import type { NotifyOptions } from './notifier.ts';
import { Webhook, type WebhookOptions } from './webhook.ts';

/** Sends a test to those who are told. */
export function examineNotify({ webhook, whatsapp }: NotifyOptions): Promise<Diagnosis> {
  return diagnose(
    webhook ? [() => sendTest(webhook)] : [],
    whatsapp === undefined ? [] : [() => explainSupervisor(whatsapp)],
  );
}

async function sendTest(options: WebhookOptions): Promise<string> {
  const webhook = new Webhook(options);
  const id = `msg_${randomUUID()}`;
  try {
    await webhook.test(id, 'Esto es una prueba: los avisos de los números llegarán aquí.');
    return `The webhook of --notify has accepted a test, ${id}.`;
  } catch (error) {
    throw new Fault(
      `The webhook of --notify has not accepted a test: ${REASONS.get(reasonOf(error)) ?? reasonOf(error)}.`,
    );
  } finally {
    await webhook.close();
  }
}

/** What is wrong, and what to do, by the codes of errors. */
const REASONS = new Map([
  ['PRIVATE_ADDRESS', 'its address is one that the internet cannot reach, which --notify-private allows'],
  ['ECONNREFUSED', 'nothing listens there (ECONNREFUSED)'],
  ['ENOTFOUND', 'its name is unknown (ENOTFOUND)'],
  ['UND_ERR_CONNECT_TIMEOUT', 'it cannot be reached (UND_ERR_CONNECT_TIMEOUT)'],
  ['UND_ERR_HEADERS_TIMEOUT', 'it does not answer in time (UND_ERR_HEADERS_TIMEOUT)'],
  ['TimeoutError', 'it does not end its answer in time (TimeoutError)'],
]);

/** Only the running gateway has the sessions. */
function explainSupervisor(numero: string): string {
  throw new Unsettled(
    `A connected session tells ${numero} by WhatsApp: send that number a test message from the panel, and see that it arrives.`,
  );
}
