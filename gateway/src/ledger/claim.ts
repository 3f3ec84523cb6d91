import type { Cipher } from './cipher.ts';
import type { Change, Row, TakenSession } from './driver.ts';
import { earlierSealer, type Sealer, sealerOf } from './sealer.ts';

/** A session that this process carries. */
export interface Claim {
  readonly numero: string;
  readonly epoch: string;
  leaving: boolean;
  /** Its wrapped data keys; undefined from before there were any. */
  secret: string | undefined;
  /** By its secret; see {@link Sealer}. */
  sealer: Sealer | undefined;
  /** The sealed rows of the credentials, the last use, the names and the link, by type, as far as they were read. */
  readonly kept: Map<string, Row | undefined>;
  /** Whether its keys are void, but could not be erased yet. */
  isVoid: boolean;
  /** Whether only the fact that it was deleted is kept. */
  isUnlisted: boolean;
  /** Entries of its history until old ones are removed. */
  left: number;
  /** Settles when its last statement has. */
  free: Promise<unknown>;
}

/** Returns a claim of which nothing was read. */
export function newClaim({ numero, epoch, leaving }: TakenSession, secret?: string): Claim {
  // The first entries of a process may follow many of another: they are pruned at once.
  const state = { isVoid: false, isUnlisted: false, left: 0, free: Promise.resolve() };
  return { numero, epoch, leaving, secret, sealer: undefined, kept: new Map(), ...state };
}

/** Returns the sealer of a claim's rows. Throws a `DecryptionError` if its secret is damaged. */
export function sealerFor(claim: Claim, cipher: Cipher): Sealer {
  const { numero, secret } = claim;
  claim.sealer ??= secret === undefined ? earlierSealer(cipher, numero) : sealerOf(cipher, numero, secret);
  return claim.sealer;
}

/** Gives a claim another secret. */
export function renew(claim: Claim, secret: string | undefined): void {
  claim.secret = secret;
  claim.sealer = undefined;
}

/** Returns changes of keys with their stored ids and sealed values. */
export function sealedChanges(sealer: Sealer, changes: readonly Change[]): Change[] {
  return changes.map(({ type, id: name, value }) => {
    const id = sealer.idOf(type, name);
    return value === undefined ? { type, id, value } : sealer.seal('key', { type, id, value });
  });
}
