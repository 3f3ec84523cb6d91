import { readField } from '../../src/server/fields.ts';
import type { WirePairing } from '../../src/wire.ts';
import { noPasskeyStep, notPairable } from './texts.ts';

/** Milliseconds that WhatsApp may take for a code. */
const TIMEOUT = 40_000;

const NO_ANSWER = 'El servidor no responde.';

/** A call that failed; the message is a sentence for the screen. */
export class CallFailed extends Error {}

/** Asks for a code to type on the phone. Rejects with a {@link CallFailed}. */
export async function askPairing(token: string): Promise<WirePairing> {
  const answer: unknown = await (await call(token, 'pairing', { conflict: notPairable }))
    .json()
    .catch(() => undefined);
  if (!isPairing(answer)) throw new CallFailed(NO_ANSWER);
  return answer;
}

/** Asks for a new code to scan. Rejects with a {@link CallFailed}. */
export async function askStart(token: string): Promise<void> {
  await call(token, 'start');
}

/** Asks for what the account's passkey has to sign. Rejects with a {@link CallFailed}. */
export async function askChallenge(token: string): Promise<unknown> {
  const answer = await call(token, 'passkey', { method: 'GET', conflict: noPasskeyStep });
  return answer.json().catch(() => {
    throw new CallFailed(NO_ANSWER);
  });
}

/**
 * Goes on with the passkey: with its assertion, or without one to say that the codes are the same. Rejects with a
 * {@link CallFailed}.
 */
export async function goOn(token: string, assertion?: unknown): Promise<void> {
  await call(token, 'passkey', {
    conflict: noPasskeyStep,
    ...(assertion !== undefined && { body: { assertion } }),
  });
}

interface Call {
  /** Default POST. */
  readonly method?: 'GET';
  readonly body?: object;
  /** What to say where the session is not in a state for it: the gateway's sentence is the operators'. */
  readonly conflict?: string;
}

async function call(token: string, name: string, { method, body, conflict }: Call = {}): Promise<Response> {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), TIMEOUT);
  const response = await fetch(`api/${name}`, {
    method: method ?? 'POST',
    headers: { Authorization: `Bearer ${token}`, ...(body && { 'Content-Type': 'application/json' }) },
    body: body ? JSON.stringify(body) : null,
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
