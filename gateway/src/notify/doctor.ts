import { randomUUID } from 'node:crypto';
import { type Diagnosis, diagnose, Fault, Unsettled } from '../diagnosis.ts';
import { reasonOf } from '../ledger/operations.ts';
import type { NotifyOptions } from './notifier.ts';
import { Webhook, type WebhookOptions } from './webhook.ts';

/** Sends a test to those who are told. */
export function examineNotify({ webhook, whatsapp }: NotifyOptions): Promise<Diagnosis> {
  // Only the running gateway has the sessions.
  const explainSupervisor = () => {
    throw new Unsettled(
      `Whether ${whatsapp} is reached by WhatsApp shows only when a session writes: send that number a test message from the panel.`,
    );
  };
  return diagnose(
    webhook ? [() => sendTest(webhook)] : [],
    whatsapp === undefined ? [] : [explainSupervisor],
  );
}

async function sendTest(options: WebhookOptions): Promise<string> {
  const webhook = new Webhook(options);
  const id = `msg_${randomUUID()}`;
  try {
    await webhook.test(id, 'Esto es una prueba: los avisos de los números llegarán aquí.');
    return `The webhook of --notify has accepted a test, ${id}.`;
  } catch (error) {
    throw new Fault(`The webhook of --notify has not accepted a test: ${explain(reasonOf(error))}.`);
  } finally {
    await webhook.close();
  }
}

function explain(code: string): string {
  if (code === 'HTTP_401') return 'it answered 401: see whether it has the same secret, and the right time';
  return code.replace('HTTP_', 'it answered ');
}
