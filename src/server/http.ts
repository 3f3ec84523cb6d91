import * as texts from '../texts/sentences.ts';
import type { Sentence, Translate } from '../texts/translate.ts';
import { cut, LONGEST_SENTENCE, readField } from './fields.ts';

/** The longest answer that is parsed, in characters: 400 per session for 10,000 sessions. */
const LONGEST_ANSWER = 4_000_000;

interface RequestErrorOptions extends ErrorOptions {
  /** Failures that the panel handles in their own way: no answer, an aborted call, and a number that cannot be called. */
  readonly kind?: 'network' | 'aborted' | 'number';
  readonly status?: number;
  /** The server's own words. */
  readonly serverMessage?: string | undefined;
}

/** A call that failed. Its message is a sentence of `texts`, ready to be shown. */
export class RequestError extends Error {
  override name = 'RequestError';
  declare readonly kind: RequestErrorOptions['kind'];
  declare readonly status: number | undefined;
  declare readonly serverMessage: string | undefined;

  constructor(message: string, options?: RequestErrorOptions) {
    super(message, options);
    Object.assign(this, options);
  }
}

/** What is known of a failure beside its message. */
export const factsOf = (error: unknown): RequestErrorOptions => (error instanceof RequestError ? error : {});

/** Whether the request itself is to blame, and would fail again as it is (RFC 9110 §15.5). */
export const isUnacceptable = (status = 0) => [400, 413, 422].includes(status);

/** Returns the server's own words on a failure where it has some, else its message; without a full stop. */
export function messageOf(error: unknown): string {
  return (factsOf(error).serverMessage ?? toError(error).message).replace(/\.$/, '');
}

/** Says what failed in words of the operator; undefined where the message does, or the server has no part in it. */
export function whatFailed(error: Error): Sentence | undefined {
  const { kind, status = 0 } = factsOf(error);
  if (kind === 'network') return texts.noConnection;
  if (kind === 'aborted') return texts.noAnswer;
  return status < 400 ? undefined : status < 500 ? texts.notDone : texts.serverFailed;
}

export const toError = (cause: unknown): Error => (cause instanceof Error ? cause : new Error(String(cause)));

export interface Answer {
  readonly body: unknown;
  /** The address that answered, as an absolute URL. */
  readonly url: string;
  /** Milliseconds by which the server's clock is ahead of the browser's; NaN where the page may not read its `Date`. */
  readonly clockOffset: number;
}

/**
 * Sends a request and returns its answer. No cache is used: after one answer with `max-age`, or one permanent
 * redirect, a start would never reach the server again. There is no timeout.
 *
 * @param harmless - a URL of the same server that may be requested at any time
 * @param common - what the request for that URL has too
 * @throws {RequestError} with the server's own words; also where the answer is a web page, which the sign-in of a portal
 *   sends with status 200, or a redirect to one of another origin.
 */
export async function request(
  url: string,
  harmless: string,
  t: Translate,
  common: RequestInit,
  own: RequestInit,
): Promise<Answer> {
  const init: RequestInit = { ...common, cache: 'no-store' };
  try {
    const response = await fetch(url, { ...init, ...own });
    // `Date` has whole seconds: on average, half a second has passed.
    const clockOffset = Date.parse(response.headers.get('date') ?? '') + 500 - Date.now();
    const text = await response.text();
    const body = text.length > LONGEST_ANSWER ? undefined : parseJson(text);
    if (!response.ok) {
      const { status } = response;
      const serverMessage = sentenceIn(body, 'message') ?? (status === 401 ? t(texts.signIn) : undefined);
      const words = serverMessage ? `: ${serverMessage}` : '';
      throw new RequestError(`${t(texts.requestFailed, status)}${words}`, { status, serverMessage });
    }
    // The type alone proves nothing: Express labels any text as text/html.
    if (/^text\/html/i.test(response.headers.get('content-type') ?? '') && /^\s*</.test(text))
      throw new RequestError(t(texts.htmlAnswer), { status: response.status });
    return { body, url: response.url, clockOffset };
  } catch (cause) {
    if (cause instanceof RequestError) throw cause;
    // A redirect that cannot be followed fails like a lost line. The call itself may have had an effect: it is not repeated.
    const answer = await fetch(harmless, { ...init, redirect: 'manual' }).catch(() => undefined);
    if (answer?.type === 'opaqueredirect') throw new RequestError(t(texts.htmlAnswer), { cause });
    throw new RequestError(t(texts.networkError), { kind: 'network', cause });
  }
}

/** Returns a sentence of a server, which is shown as it is. Failures have it in `message`, as in most frameworks. */
export function sentenceIn(body: unknown, field: 'message' | 'notice'): string | undefined {
  const text = readField(body, field);
  const sentence = typeof text === 'string' ? text.trim() : '';
  const begin = cut(sentence, LONGEST_SENTENCE);
  return begin === sentence ? begin || undefined : `${cut(begin, LONGEST_SENTENCE - 1)}…`;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
