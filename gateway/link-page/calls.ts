import { readField } from '../../src/server/fields.ts';
import type { WirePairing } from '../../src/wire.ts';
import { notPairable } from './texts.ts';

/** Milliseconds that WhatsApp may take for a code. */
const TIMEOUT = 40_000;

const NO_ANSWER = 'El servidor no responde';

/** A call that failed; the message is a sentence for the screen. */
export class CallFailed extends Error {}

/** Asks for a code to type on the phone. Rejects with a {@link CallFailed}. */
export async function askPairing(token: string): Promise<WirePairing> {
  const answer: unknown = await (await post(token, 'pairing', notPairable)).json().catch(() => undefined);
  if (!isPairing(answer)) throw new CallFailed(NO_ANSWER);
  return answer;
}

/** Asks for a new code to scan. Rejects with a {@link CallFailed}. */
export async function askStart(token: string): Promise<void> {
  await post(token, 'start');
}

/** @param conflict what to say where the session is not in a state for it: the gateway's sentence is the operators' */
async function post(token: string, name: string, conflict?: string): Promise<Response> {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), TIMEOUT);
  const response = await fetch(`api/${name}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}` },
    cache: 'no-store',
    signal: controller.signal,
  }).catch(() => undefined);
  clearTimeout(timer);
  if (response?.ok) return response;
  const answer: unknown = await response?.json().catch(() => undefined);
  const sentence = response?.status === 409 ? conflict : undefined;
  throw new CallFailed(sentence ?? sentenceOf(answer) ?? NO_ANSWER);
}

function sentenceOf(answer: unknown): string | undefined {
  const message = readField(answer, 'message');
  return typeof message === 'string' ? message : undefined;
}

function isPairing(answer: unknown): answer is WirePairing {
  return typeof readField(answer, 'code') === 'string' && typeof readField(answer, 'expires') === 'number';
}
