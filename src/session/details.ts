/** What is known of a session beside its state, where the server or the host page tells it, as pure functions. */
import { keepIfEqual } from '../keep-if-equal.ts';
import type { WireDetails, WirePairing } from '../wire.ts';

/** Moments are milliseconds since 1970, by the browser's clock. Never changed in place. */
export type Details = Readonly<WireDetails>;

/** A code to type on the phone. `expires` is in milliseconds since 1970, by the browser's clock. */
export type Pairing = Readonly<WirePairing>;

/** The details that changed; undefined for one that went. */
export type DetailsChange = { readonly [Name in keyof Details]: Details[Name] | undefined };

/** What a session is called. */
export interface Naming {
  readonly label?: string | undefined;
  readonly group?: string | undefined;
}

/** What the host page calls the sessions, by numero. */
export type Names = ReadonlyMap<string, Naming>;

export const NO_DETAILS: Details = {};

/** Returns the details after a change: the same object where they say the same. */
export function detailsAfter(old: Details, change: DetailsChange): Details {
  return keepDetails(old, { ...old, ...change });
}

/** Returns the old object where the new one says the same. */
export function keepDetails(
  old: Details,
  { name, label, group, since, reason, link }: DetailsChange,
): Details {
  return keepIfEqual(old, {
    ...(name && { name }),
    ...(label && { label }),
    ...(group && { group }),
    ...(since !== undefined && { since }),
    ...(reason && { reason: keepIfEqual(old.reason, reason) }),
    ...(link && { link: keepIfEqual(old.link, link) }),
  });
}
