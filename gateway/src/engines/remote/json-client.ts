import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { Agent, type Dispatcher, request } from 'undici';
import { RemoteError, type RemoteFailure } from './errors.ts';

/** Longest time for a connection and for a whole answer, in milliseconds: some servers take 5 s for a new session. */
const PATIENCE = { connection: 5_000, answer: 14_000 };
/** Longest answer, in bytes: a list of some thousand sessions. */
const LONGEST = 16 * 1_048_576;

/** Requests at a time; others wait. */
const CONNECTIONS = 8;

export const Nullable = <T extends TSchema>(type: T) => Type.Union([type, Type.Null()]);
/** A field that may be null, or missing. */
export const Nullish = <T extends TSchema>(type: T) => Type.Optional(Nullable(type));

interface ClientOptions {
  /** What operators call the server. */
  readonly title: string;
  /** Its URL; paths are relative to it. */
  readonly url: string;
  /** Sent with each request; the key is among them. */
  readonly headers: Readonly<Record<string, string>>;
}

interface Call<Schema extends TSchema, Other> {
  readonly method?: Dispatcher.HttpMethod;
  /** Relative, such as `api/sessions`. */
  readonly path: string;
  readonly body?: object;
  /** The form of the answer; a field that is missing or of another type makes it nonsense. */
  readonly answer: Schema;
  /** What a status other than 2xx means, by status. */
  readonly or?: Readonly<Record<string, Other>>;
}

/** Speaks JSON with another server, and believes no answer that it has not checked. */
export class JsonClient {
  readonly #options: ClientOptions;
  readonly #agent = new Agent({
    connections: CONNECTIONS,
    connect: { timeout: PATIENCE.connection },
    headersTimeout: PATIENCE.answer,
    bodyTimeout: PATIENCE.answer,
    maxResponseSize: LONGEST,
  });

  constructor(options: ClientOptions) {
    this.#options = options;
  }

  /** Resolves with the checked answer. Rejects with a {@link RemoteError}. */
  async call<Schema extends TSchema, const Other = never>(
    call: Call<Schema, Other>,
  ): Promise<Static<Schema> | Other> {
    const { method = 'GET', body, answer, or } = call;
    const [status, text] = await this.#exchange(method, call.path, body);
    if (status >= 200 && status < 300) return this.#checked(answer, text);
    const other = Object.entries(or ?? {}).find(([key]) => key === String(status));
    if (other) return other[1];
    throw this.#error(failureOf(status, text), String(status));
  }

  /** Ends what is under way. */
  async close(): Promise<void> {
    await this.#agent.destroy();
  }

  async #exchange(
    method: Dispatcher.HttpMethod,
    path: string,
    body: object | undefined,
  ): Promise<[number, string]> {
    const { url, headers } = this.#options;
    try {
      const answer = await request(new URL(path, url), {
        method,
        headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
        body: body && JSON.stringify(body),
        dispatcher: this.#agent,
        signal: AbortSignal.timeout(PATIENCE.answer),
      });
      return [answer.statusCode, await answer.body.text()];
    } catch (error) {
      throw this.#error('unreachable', codeOf(error));
    }
  }

  #checked<Schema extends TSchema>(schema: Schema, text: string): Static<Schema> {
    try {
      const value: unknown = text === '' ? undefined : JSON.parse(text);
      if (Value.Check(schema, value)) return value;
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
    }
    throw this.#error('nonsense', 'JSON');
  }

  #error(failure: RemoteFailure, code: string): RemoteError {
    return new RemoteError(failure, this.#options.title, code);
  }
}

function failureOf(status: number, text: string): RemoteFailure {
  if (status === 401 || status === 403) return 'key';
  if (text.includes('LICENSE_REQUIRED')) return 'license';
  if (status >= 500) return 'failed';
  // A redirection leads to a page to sign in, not to an API.
  return status < 400 ? 'nonsense' : 'refused';
}

function codeOf(error: unknown): string {
  // That of a timeout is a number.
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code;
  return error instanceof Error ? error.name : String(error);
}
