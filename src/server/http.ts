import { texts } from '../texts.ts';

/** The longest sentence of a server that a notice has room for, in characters. */
const MAX_REASON = 300;

/** A call that failed. Its message is one of spec §8, or a sentence of `texts`, ready to be shown. */
export class RequestError extends Error {
  override name = 'RequestError';

  constructor(
    message: string,
    /** The HTTP status, where there was an answer. */
    readonly status?: number,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/**
 * Sends a request and reads its whole answer. No cache answers for the server: after one answer with `max-age`, or one
 * permanent redirect, a start would never reach it again. There is no timeout (spec §9).
 *
 * @returns the answer's text; whether it should be JSON is for the caller to know.
 * @throws {RequestError} with the texts of spec §8, and after them what the server itself says of it; also where the
 *   answer is a web page, since that is what a portal's sign-in gives with status 200 to a call that it did not
 *   let through.
 */
export async function request(url: string, init: RequestInit = {}): Promise<string> {
  try {
    const response = await fetch(url, { ...init, cache: 'no-store' });
    const body = await response.text();
    if (!response.ok) {
      const reason = reasonIn(body) ?? (response.status === 401 ? texts.signIn : undefined);
      throw new RequestError(texts.status(response.status, reason), response.status);
    }
    if (isPage(response, body)) throw new RequestError(texts.page, response.status);
    return body;
  } catch (cause) {
    if (cause instanceof RequestError) throw cause;
    if (init.signal?.aborted) throw new RequestError(texts.aborted, undefined, { cause });
    throw new RequestError(texts.networkError, undefined, { cause });
  }
}

/** The type alone says little: Express labels any text that it sends as text/html. */
function isPage(response: Response, body: string): boolean {
  return /^text\/html/i.test(response.headers.get('content-type') ?? '') && /^\s*</.test(body);
}

/** The server's own sentence in an answer that is an error: the field `message`, as most frameworks have it. */
function reasonIn(body: string): string | undefined {
  const message = messageIn(body);
  if (typeof message !== 'string') return undefined;
  // In characters and not in code units, so that none is cut in two.
  const characters = [...message.trim()];
  if (characters.length <= MAX_REASON) return characters.join('') || undefined;
  return `${characters.slice(0, MAX_REASON - 1).join('')}…`;
}

function messageIn(body: string): unknown {
  try {
    const answer: unknown = JSON.parse(body);
    return answer instanceof Object && 'message' in answer ? answer.message : undefined;
  } catch {
    return undefined;
  }
}
