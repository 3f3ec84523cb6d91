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

/** Returns the details without those that are absent or empty: the old object where it says the same. */
export function keepDetails(old: Details, details: DetailsChange): Details {
  const kept: DetailsChange = { ...details };
  for (const [name, value] of Object.entries(details)) {
    const before: unknown = Reflect.get(old, name);
    if (value === undefined || value === '') Reflect.deleteProperty(kept, name);
    else if (typeof value === 'object' && typeof before === 'object')
      Reflect.set(kept, name, keepIfEqual(before ?? undefined, value));
  }
  return keepIfEqual(old, kept);
}
