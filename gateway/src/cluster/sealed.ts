import { type Static, type TSchema, Type } from 'typebox';
import { Value } from 'typebox/value';
import { type Cipher, DecryptionError } from '../ledger/cipher.ts';

/*
 * Calls between gateways are sealed with the cluster's cipher: whoever holds the port of a dead gateway, or listens
 * between gateways, can neither read nor forge them. A call has a head in a header, which is checked before the body is
 * read. The answer is bound to the head's id, and the head to a gateway and a moment.
 */

/** The path at which gateways call each other. */
export const CLUSTER_PATH = '/cluster';
export const HEAD_HEADER = 'x-wo-call';

export const Head = Type.Object({
  /** Unique to this call. */
  id: Type.String(),
  /** The node that the call is for, since another node may have its URL by now. Null to learn who answers. */
  to: Type.Union([Type.String(), Type.Null()]),
  /** When the call is made, in milliseconds, by the clock of the receiving gateway. */
  at: Type.Number(),
});

const Query = Type.Record(Type.String(), Type.Union([Type.String(), Type.Array(Type.String())]));

export interface RouteCall {
  readonly method: string;
  readonly path: string;
  readonly query?: unknown;
  /** Sent as JSON. */
  readonly body?: unknown;
}

/** A call as it is sent. */
export interface ForwardedCall extends RouteCall {
  /** The id of the client's request, in the logs of both gateways. */
  readonly requestId: string;
  /** The name of the user who calls, and who may. */
  readonly by?: string;
}

/** A received call. */
export const SealedCall = Type.Object({
  requestId: Type.String(),
  by: Type.Optional(Type.String()),
  method: Type.Enum(['GET', 'POST', 'PUT', 'DELETE']),
  path: Type.String(),
  query: Type.Optional(Query),
  body: Type.Optional(Type.Unknown()),
});

export const RouteAnswer = Type.Object({
  status: Type.Integer(),
  type: Type.Optional(Type.String()),
  retryAfter: Type.Optional(Type.String()),
  body: Type.String(),
});

export type RouteAnswer = Static<typeof RouteAnswer>;

export const SealedAnswer = Type.Object({
  process: Type.String(),
  /** Its node, if it has one now. */
  node: Type.Optional(Type.String()),
  /** The time by its clock, in milliseconds. */
  now: Type.Number(),
  /** Missing if the process did not take the call: it is not the called node, or the call is too old. */
  answer: Type.Optional(RouteAnswer),
});

/** The context of a sealed text. */
export const PLACES = {
  head: ['cluster', 'head'],
  call: (id: string) => ['cluster', 'call', id],
  answer: (id: string) => ['cluster', 'answer', id],
};

/**
 * Opens a sealed text. Throws a `DecryptionError` if it comes from outside this cluster, or has another context or
 * form.
 */
export function openAs<Schema extends TSchema>(
  schema: Schema,
  cipher: Cipher,
  sealed: string,
  place: readonly string[],
): Static<Schema> {
  const value: unknown = JSON.parse(cipher.open(sealed, place));
  if (!Value.Check(schema, value)) throw new DecryptionError('The text is of another form');
  return value;
}
