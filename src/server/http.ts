import * as texts from '../texts.ts';
import { cut, LONGEST_SENTENCE, readField } from './fields.ts';

/** The longest answer that is parsed, in characters: 400 for each of 10,000 sessions. */
const LONGEST_ANSWER = 4_000_000;

/**
 * Why a call failed: nothing answered (`network`), it was aborted, the server answered with another status than success,
 * its answer cannot be used, the page's token failed, the call cannot be made with this number, or the server no longer
 * announces the extension that it belongs to.
 */
type RequestErrorKind = 'network' | 'aborted' | 'status' | 'answer' | 'token' | 'number' | 'extension';

interface RequestErrorOptions extends ErrorOptions {
  readonly status?: number;
  readonly serverMessage?: string | undefined;
}

/** A call that failed. Its message is a sentence of `texts`, ready to be shown. */
export class RequestError extends Error {
  override name = 'RequestError';
  readonly kind: RequestErrorKind;
  /** The HTTP status, where there was an answer. */
  readonly status: number | undefined;
  /** What the server itself says of it. */
  readonly serverMessage: string | undefined;

  constructor(
    kind: RequestErrorKind,
    message: string,
    { status, serverMessage, ...options }: RequestErrorOptions = {},
  ) {
    super(message, options);
    this.kind = kind;
    this.status = status;
    this.serverMessage = serverMessage;
  }
}

/** The server's own words on a failure where it has some, else its message; without a full stop. */
export function messageOf(error: unknown): string {
  const serverMessage = error instanceof RequestError ? error.serverMessage : undefined;
  return (serverMessage ?? toError(error).message).replace(/\.$/, '');
}

export const toError = (cause: unknown): Error => (cause instanceof Error ? cause : new Error(String(cause)));

/** What a server answered. */
export interface Answer {
  readonly body: string;
  /** Where it came from, as an absolute URL. */
  readonly url: string;
  /** Milliseconds by which the server's clock is ahead of the browser's; NaN where the page may not read its `Date`. */
  readonly clockOffset: number;
}

/**
 * Sends a request and returns its answer. No cache is used: after one answer with `max-age`, or one permanent
 * redirect, a start would never reach the server again. There is no timeout.
 *
 * @throws {RequestError} whose message ends with the server's own words; also where the answer is a web page, which a portal's
 *   sign-in sends with status 200.
 */
export async function request(url: string, init: RequestInit = {}): Promise<Answer> {
  try {
    const response = await fetch(url, { ...init, cache: 'no-store' });
    // Of its whole second, the half is taken.
    const clockOffset = Date.parse(response.headers.get('date') ?? '') + 500 - Date.now();
    const text = await response.text();
    const body = text.length > LONGEST_ANSWER ? '' : text;
    if (!response.ok) {
      const { status } = response;
      const serverMessage = sentenceIn(body, 'message') ?? (status === 401 ? texts.signIn : undefined);
      throw new RequestError('status', texts.status(status, serverMessage), { status, serverMessage });
    }
    if (isPage(response, body)) throw new RequestError('answer', texts.page, { status: response.status });
    return { body, url: response.url, clockOffset };
  } catch (cause) {
    if (cause instanceof RequestError) throw cause;
    if (init.signal?.aborted) throw new RequestError('aborted', texts.aborted, { cause });
    throw new RequestError('network', texts.networkError, { cause });
  }
}

/** The type alone does not tell: Express labels any text as text/html. */
function isPage(response: Response, body: string): boolean {
  return /^text\/html/i.test(response.headers.get('content-type') ?? '') && /^\s*</.test(body);
}

/**
 * Returns a sentence of a server that is shown as it is; undefined if the answer has none. On a failure it is the field
 * `message`, as in most frameworks.
 */
export function sentenceIn(body: string, field: 'message' | 'notice'): string | undefined {
  try {
    const text = readField(JSON.parse(body), field);
    const sentence = typeof text === 'string' ? text.trim() : '';
    const begin = cut(sentence, LONGEST_SENTENCE);
    return begin === sentence ? begin || undefined : `${cut(begin, LONGEST_SENTENCE - 1)}…`;
  } catch {
    return undefined;
  }
}
