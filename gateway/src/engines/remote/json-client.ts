import { type Static, type TSchema, Type } from 'typebox';
import { Value } from 'typebox/value';
import { Agent, type Dispatcher, request } from 'undici';
import { reasonOf } from '../../ledger/operations.ts';
import { RemoteError, type RemoteFailure } from './errors.ts';
import { excessIn, LONGEST } from './limits.ts';

/** Longest time for a connection and for a whole answer, in milliseconds: some servers take 5 s for a new session. */
const PATIENCE = { connection: 5_000, answer: 14_000 };
/** Requests at a time; others wait. Slow starts, up to eight, must not hold up messages. */
const CONNECTIONS = 16;

export const Nullable = <T extends TSchema>(type: T) => Type.Union([type, Type.Null()]);
/** A field that may be null, or missing. */
export const Nullish = <T extends TSchema>(type: T) => Type.Optional(Nullable(type));

interface ClientOptions {
  /** The server's name for operators. */
  readonly title: string;
  /** Its URL; paths are relative to it. */
  readonly url: string;
  /** Sent with each request; includes the key. */
  readonly headers: Readonly<Record<string, string>>;
}

interface Call<Schema extends TSchema, Other> {
  readonly method?: Dispatcher.HttpMethod;
  /** Relative, such as `api/sessions`. */
  readonly path: string;
  readonly body?: object;
  /** Whether the answer has all sessions, and so may be long. */
  readonly isList?: boolean;
  /** The form of the answer; a missing field, or one of another type, makes the answer invalid. */
  readonly answer: Schema;
  /** What a status other than 2xx means, by status. */
  readonly or?: Readonly<Record<string, Other>>;
  /** What such an answer means if its text matches. */
  readonly says?: readonly [words: RegExp, means: Other];
}

/** Exchanges JSON with another server, and validates every answer. */
export class JsonClient {
  readonly #options: ClientOptions;
  readonly #agent = new Agent({
    connections: CONNECTIONS,
    connect: { timeout: PATIENCE.connection },
  });

  constructor(options: ClientOptions) {
    this.#options = options;
  }

  /** Resolves with the checked answer. Rejects with a {@link RemoteError}. */
  async call<Schema extends TSchema, const Other = never>(
    call: Call<Schema, Other>,
  ): Promise<Static<Schema> | Other> {
    const { answer, or, says } = call;
    const [status, text] = await this.#exchange(call);
    if (status >= 200 && status < 300) return this.#checked(answer, text);
    if (says?.[0].test(text)) return says[1];
    const failure = failureOf(status, text);
    const other = Object.entries(or ?? {}).find(([key]) => key === String(status));
    if (other && failure !== 'single') return other[1];
    throw this.#error(failure, String(status));
  }

  /** Ends what is under way. */
  async close(): Promise<void> {
    await this.#agent.destroy();
  }

  async #exchange({
    method = 'GET',
    path,
    body,
    isList = false,
  }: Omit<Call<TSchema, unknown>, 'answer' | 'or'>): Promise<[number, string]> {
    const { url, headers } = this.#options;
    try {
      const answer = await request(new URL(path, url), {
        method,
        headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
        body: body && JSON.stringify(body),
        dispatcher: this.#agent,
        signal: AbortSignal.timeout(PATIENCE.answer),
      });
      const text = await textOf(answer.body, isList ? LONGEST.list : LONGEST.other);
      return [answer.statusCode, text];
    } catch (error) {
      if (error instanceof TooLong) throw this.#error('nonsense', 'too many bytes');
      throw this.#error('unreachable', reasonOf(error));
    }
  }

  #checked<Schema extends TSchema>(schema: Schema, text: string): Static<Schema> {
    const excess = excessIn(text);
    if (excess !== undefined) throw this.#error('nonsense', excess);
    try {
      const value: unknown = text === '' ? undefined : JSON.parse(text);
      if (Value.Check(schema, value)) return value;
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
    }
    throw this.#error('nonsense', 'other JSON');
  }

  #error(failure: RemoteFailure, code: string): RemoteError {
    return new RemoteError(failure, this.#options.title, code);
  }
}

class TooLong extends Error {}

/** Reads an answer. Rejects with {@link TooLong} as soon as it has more bytes than that. */
async function textOf(body: AsyncIterable<Buffer>, most: number): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of body) {
    bytes += part.length;
    if (bytes > most) throw new TooLong();
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
}

function failureOf(status: number, text: string): RemoteFailure {
  if (status === 401 || status === 403) return 'key';
  if (text.includes('LICENSE_REQUIRED')) return 'license';
  if (status >= 500) return 'failed';
  if (/only .{0,2}default/.test(text)) return 'single';
  // A redirection leads to a page to sign in, not to an API.
  return status < 400 ? 'nonsense' : 'refused';
}
