import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Devices } from '../../../src/engines/whatsapp/devices.ts';
import { loadLibrary } from '../../../src/engines/whatsapp/library.ts';
import type { SessionStore } from '../../../src/store/session-store.ts';
import { SqliteStore, type StoreOptions } from '../../../src/store/sqlite-store.ts';

export const NUMEROS = ['5215550001111', '34600000001'] as const;
/** Is being deleted. */
export const LEAVING = '5491150000001';
/** Is in every key, as it is. */
export const SECRET = 'the-secret-of-a-key';

export const library = await loadLibrary();

/** Opens a store; a sentence for the operator fails the test. */
export function openSessions(folder: string, options?: StoreOptions): Promise<SqliteStore> {
  const print = (sentence: string) => {
    throw new Error(sentence);
  };
  return SqliteStore.open(folder, print, options);
}

const devices = new WeakMap<SessionStore, Devices>();

/** Returns the credentials of the sessions in a store, as the engine keeps them. */
export function devicesOf(store: SessionStore, print: (sentence: string) => void = () => {}): Devices {
  const known = devices.get(store) ?? new Devices(store, library, print);
  devices.set(store, known);
  return known;
}

/** Adds a session with a linked phone and a key. */
export async function addLinked(store: SessionStore, numero: string): Promise<void> {
  await store.add(numero);
  const credentials = devicesOf(store).get(numero);
  credentials.auth.creds.me = { id: `${numero}:3@s.whatsapp.net`, name: SECRET };
  await credentials.save();
  await credentials.auth.keys.set({ 'device-list': { contact: [SECRET] } });
}

/** Makes a store with linked sessions, one of which is being deleted; it is left open. */
export async function makeSessions(folder: string, options?: StoreOptions): Promise<SqliteStore> {
  const store = await openSessions(folder, options);
  for (const numero of [...NUMEROS, LEAVING]) await addLinked(store, numero);
  await store.leave(LEAVING);
  return store;
}

/** Returns what `makeSessions` has stored, as it is read now. */
export async function contentOf(store: SessionStore): Promise<unknown[]> {
  const sessions = store.sessions().map(async ({ numero, leaving }) => {
    const { phone, auth } = devicesOf(store).get(numero);
    const { contact } = await auth.keys.get('device-list', ['contact']);
    return { numero, leaving, phone, contact };
  });
  return Promise.all(sessions);
}

/** What `contentOf` returns for an untouched store. */
export const CONTENT = [...NUMEROS, LEAVING].map((numero) => ({
  numero,
  leaving: numero === LEAVING,
  phone: numero,
  contact: [SECRET],
}));

/** Writes a key file, and returns its name. */
export function makeKey(folder: string, byte: string): string {
  const file = join(folder, `key-${byte}`);
  writeFileSync(file, `${byte.repeat(32)}\n`, { mode: 0o600 });
  return file;
}
