import * as texts from '../texts/sentences.ts';
import { clause, type Sentence, type Translate } from '../texts/translate.ts';

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

/** Returns why something failed: in the server's own words where it has some, else in the operator's. */
export function wordsOf(t: Translate, cause: unknown): string {
  const error = toError(cause);
  const what = whatFailed(error);
  return factsOf(error).serverMessage ?? (what ? t(what) : error.message);
}

/** The same without a full stop. */
export const reasonOf = (t: Translate, cause: unknown): string => clause(wordsOf(t, cause));

/** Says what failed in words of the operator; undefined where the message does, or the server has no part in it. */
export function whatFailed(error: Error): Sentence | undefined {
  const { kind, status = 0 } = factsOf(error);
  if (kind === 'network') return texts.noConnection;
  if (kind === 'aborted') return texts.noAnswer;
  return status < 400 ? undefined : status < 500 ? texts.notDone : texts.serverFailed;
}

export const toError = (cause: unknown): Error => (cause instanceof Error ? cause : new Error(String(cause)));
