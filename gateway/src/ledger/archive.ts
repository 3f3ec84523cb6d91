import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import type { WireHistoryEntry } from '../../../src/wire.ts';
import { type ProxyServer, parseProxy } from '../proxy/proxy.ts';
import { HistoryEntry } from '../wire-schemas.ts';

/** The names of a session. */
export interface Profile {
  /** The account's own name. */
  readonly name?: string | undefined;
  /** The operators' name and group. */
  readonly label?: string | undefined;
  readonly group?: string | undefined;
}

/** A link for the person with the phone. */
export interface StoredLink {
  /** SHA-256 of its token, in hexadecimal: the token itself is stored nowhere. */
  readonly hash: string;
  /** Both in milliseconds since 1970. */
  readonly expires: number;
  readonly opened?: number | undefined;
}

/** An entry of a session's history, before it is written. */
export interface NewEntry {
  readonly numero: string;
  readonly entry: WireHistoryEntry;
}

/**
 * How much of a session's history is kept (docs/contract.md): a maximum of entries, entries up to an age in
 * milliseconds, and the last few of any age, since one start with a clock far ahead would otherwise erase everything.
 */
export const KEPT = { entries: 1_000, time: 30 * 24 * 60 * 60_000, always: 50 };

/*
 * The stored form: rows of a type and an id, with a value as text.
 */

/** The row of the session's names. */
export const PROFILE = { type: 'profile', id: '' };
/** The type of the row of its link, whose id is the hash. */
export const LINK = 'link';
/** The row of its proxy. */
export const PROXY = { type: 'proxy', id: '' };
/** The types of which a session has one row at most. */
export const PARTS = [PROFILE.type, LINK, PROXY.type];
/** The type of its history, whose ids are times that sort as texts. */
export const HISTORY = 'history';

/** Entries of a session between two searches for old ones. */
export const PRUNE_EVERY = 50;

const DIGITS = String(Number.MAX_SAFE_INTEGER).length;

export function entryId(at: number): string {
  return String(Math.max(0, at)).padStart(DIGITS, '0');
}

const ProfileForm = Type.Object({
  name: Type.Optional(Type.String()),
  label: Type.Optional(Type.String()),
  group: Type.Optional(Type.String()),
});
const LinkForm = Type.Object({ expires: Type.Number(), opened: Type.Optional(Type.Number()) });

/** Each throws a SyntaxError or TypeBox's error if the text is of another form. */
export const readProfile = (text: string) => read(ProfileForm, text);
export const readLink = (hash: string, text: string): StoredLink => ({ hash, ...read(LinkForm, text) });
export const readEntry = (text: string) => read(HistoryEntry, text);

/** Throws a SyntaxError if the text is no proxy. */
export function readProxy(text: string): ProxyServer {
  const proxy = parseProxy(text);
  if (!proxy) throw new SyntaxError('The proxy is of an unknown form');
  return proxy;
}

function read<Form extends typeof ProfileForm | typeof LinkForm | typeof HistoryEntry>(
  form: Form,
  text: string,
): Static<Form> {
  return Value.Parse(form, Value.Clean(form, JSON.parse(text)));
}

export const profileRow = (profile: Profile) => ({ ...PROFILE, value: JSON.stringify(profile) });
export const linkRow = ({ hash, expires, opened }: StoredLink) => ({
  type: LINK,
  id: hash,
  value: JSON.stringify({ expires, opened }),
});
export const proxyRow = ({ url }: ProxyServer) => ({ ...PROXY, value: url.href });
export const entryRow = (entry: WireHistoryEntry) => ({
  type: HISTORY,
  id: entryId(entry.at),
  value: JSON.stringify(entry),
});
