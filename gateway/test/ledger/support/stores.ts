import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import { loadLibrary } from '../../../src/engines/whatsapp/library.ts';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import type { Table } from '../../../src/ledger/row.ts';
import { type FileOptions, openLedger } from '../../../src/ledger/sqlite.ts';
import { tokenHash } from '../../../src/sessions/links.ts';
import { Devices } from '../../whatsapp/support/devices.ts';

export const NUMEROS = ['5215550001111', '34600000001'] as const;
/** Is being deleted. */
export const LEAVING = '5491150000001';
/** Is in every key, as it is. */
export const SECRET = 'the-secret-of-a-key';

/** Opens a store; a sentence for the operator fails the test. */
export function openSessions(folder: string, options?: FileOptions): Promise<Ledger> {
  const print = (sentence: string) => {
    throw new Error(sentence);
  };
  return openLedger(folder, print, options);
}

const devices = new WeakMap<Ledger, Promise<Devices>>();

/** Returns the credentials of the sessions in a store, as the engine keeps them. */
export function devicesOf(store: Ledger, print: (sentence: string) => void = () => {}): Promise<Devices> {
  const known = devices.get(store) ?? loadLibrary().then((library) => new Devices(store, library, print));
  devices.set(store, known);
  return known;
}

/** What is kept of each session beside its keys; far in the future, so that nothing of it is ever over. */
const PROFILE = { name: SECRET, label: SECRET, group: SECRET };
const FUTURE = 4_000_000_000_000;
const ENTRY = {
  at: FUTURE,
  event: 'disconnected',
  state: 'DESCONECTADO',
  detail: SECRET,
  code: 'logged-out',
};

/** Returns the hash of the session's link. */
function linkHashOf(numero: string): string {
  return tokenHash(numero);
}

/** Adds a session with a linked phone, a key, names, a link and a history. */
export async function addLinked(store: Ledger, numero: string): Promise<void> {
  await store.add(numero);
  const credentials = (await devicesOf(store)).get(numero);
  credentials.auth.creds.me = { id: `${numero}:3@s.whatsapp.net`, name: SECRET };
  credentials.auth.creds.account = {};
  await credentials.save();
  await credentials.auth.keys.set({ 'device-list': { contact: [SECRET] } });
  const archive = store;
  await archive.describe(numero, PROFILE);
  await archive.setLink(numero, { hash: linkHashOf(numero), expires: FUTURE });
  await archive.record([{ numero, entry: ENTRY }]);
}

/** Makes a store with linked sessions, one of which is being deleted; it is left open. */
export async function makeSessions(folder: string, options?: FileOptions): Promise<Ledger> {
  const store = await openSessions(folder, options);
  for (const numero of [...NUMEROS, LEAVING]) await addLinked(store, numero);
  await store.leave(LEAVING);
  return store;
}

/** Returns what `makeSessions` has stored, as it is read now. */
export async function contentOf(store: Ledger): Promise<unknown[]> {
  const sessions = store.sessions().map(async ({ numero, leaving }) => {
    const { phone, auth } = (await devicesOf(store)).get(numero);
    const { contact } = await auth.keys.get('device-list', ['contact']);
    const archive = store;
    const kept = {
      profile: archive.profile(numero),
      link: archive.link(numero),
      history: await archive.history(numero, 10),
    };
    return { numero, leaving, phone, contact, ...kept };
  });
  return Promise.all(sessions);
}

/** What `contentOf` returns for an untouched store. */
export const CONTENT = [...NUMEROS, LEAVING].map((numero) => ({
  numero,
  leaving: numero === LEAVING,
  phone: numero,
  contact: [SECRET],
  profile: PROFILE,
  link: { hash: linkHashOf(numero), expires: FUTURE },
  history: [ENTRY],
}));

/** Writes a key file, and returns its name. */
export function makeKey(folder: string, byte: string): string {
  const file = join(folder, `key-${byte}`);
  writeFileSync(file, `${byte.repeat(32)}\n`, { mode: 0o600 });
  return file;
}

/** Replaces a stored value by a damaged one. */
export function damage(folder: string, session: number, table: Table, type: string, value = 'AAAA'): void {
  const db = new Database(join(folder, 'sessions.sqlite'));
  db.prepare(`UPDATE ${table} SET value = ? WHERE session = ? AND type = ?`).run(value, session, type);
  db.close();
}
