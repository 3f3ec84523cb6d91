import assert from 'node:assert/strict';
import { chmodSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import Database from 'libsql';
import { STATES } from '../../../src/wire.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { cipherOf, DecryptionError } from '../../src/ledger/cipher.ts';
import { cipherOfFile } from '../../src/ledger/key-file.ts';
import { rekey } from '../../src/ledger/rekey.ts';
import { openLedger } from '../../src/ledger/sqlite.ts';
import { failSql } from '../whatsapp/support/failing-sql.ts';
import { startLab } from '../whatsapp/support/lab.ts';
import { filesWith } from '../whatsapp/support/raw-files.ts';
import {
  CONTENT,
  contentOf,
  devicesOf,
  LEAVING,
  makeKey,
  makeSessions,
  NUMEROS,
  openSessions,
  SECRET,
} from './support/stores.ts';

/** The first characters of the keys' SHA-256. */
const [AB, CD] = ['ab', 'cd'].map((byte) => String(cipherOf(Buffer.from(byte.repeat(32), 'hex')).id));

describe('an encrypted store', () => {
  test('comes of a plain one, whose values are left nowhere', async (t) => {
    const parent = temporaryFolder();
    const folder = join(parent, 'data');
    await (await makeSessions(folder)).close();
    for (const text of [SECRET, 'noiseKey']) assert.notDeepEqual(filesWith(folder, text), [], text);
    const store = await openSessions(folder, { keyFile: makeKey(parent, 'ab') });
    t.after(() => store.close());
    for (const text of [SECRET, 'noiseKey']) assert.deepEqual(filesWith(folder, text), [], text);
    assert.deepEqual(await contentOf(store), CONTENT);
  });

  test('is refused without its key, and with another one, and not touched', async (t) => {
    const parent = temporaryFolder();
    const folder = join(parent, 'data');
    const keyFile = makeKey(parent, 'ab');
    await (await makeSessions(folder, { keyFile })).close();
    const text = `The store in '${folder}' is encrypted with the key ${AB}`;
    const remedy = 'name the file of that key with --key-file.';
    await assert.rejects(openSessions(folder), { name: 'FolderError', message: `${text}: ${remedy}` });
    await assert.rejects(openSessions(folder, { keyFile: makeKey(parent, 'cd') }), {
      name: 'FolderError',
      message: `${text}, not ${CD}: ${remedy}`,
    });
    const store = await openSessions(folder, { keyFile });
    t.after(() => store.close());
    assert.deepEqual(await contentOf(store), CONTENT);
  });

  test('does not take a value that was moved from another session, or changed', async (t) => {
    const parent = temporaryFolder();
    const folder = join(parent, 'data');
    const keyFile = makeKey(parent, 'ab');
    await (await makeSessions(folder, { keyFile })).close();
    const db = new Database(join(folder, 'sessions.sqlite'));
    db.exec(`
      UPDATE key SET value = (SELECT value FROM key WHERE session = 2 AND type = 'creds')
      WHERE session = 1 AND type = 'creds';
      UPDATE key SET value = substr(value, 1, 40) || 'AAAA' || substr(value, 45)
      WHERE session = 2 AND type = 'device-list';
      UPDATE key SET value = '{}' WHERE session = 3 AND type = 'device-list';
    `);
    db.close();
    const printed: string[] = [];
    const print = (sentence: string) => void printed.push(sentence);
    const store = await openLedger(folder, print, { keyFile });
    t.after(() => store.close());
    const devices = await devicesOf(store, print);
    assert.throws(() => devices.get(NUMEROS[0]), { isLoss: true, code: 'DecryptionError' });
    for (const numero of [NUMEROS[1], LEAVING]) {
      const read = async () => devices.get(numero).auth.keys.get('device-list', ['contact']);
      await assert.rejects(read(), { code: 'DecryptionError' });
    }
    assert.deepEqual(printed, [
      `The keys of ${NUMEROS[0]} cannot be read (DecryptionError): delete the session and link it again.`,
      `The store fails (DecryptionError): read-keys of ${NUMEROS[1]}.`,
      `The store fails (DecryptionError): read-keys of ${LEAVING}.`,
    ]);
  });

  test('keeps a phone linked over a restart, and sends', async (t) => {
    const lab = await startLab(t, { keyFile: makeKey(temporaryFolder(), 'ab') });
    await lab.link();
    assert.deepEqual(filesWith(lab.folder, '"Buffer"'), []);
    await lab.restart();
    await lab.state(STATES.connected);
    assert.equal((await lab.send(['34600000002'])).status, 200);
    assert.equal(lab.whatsapp.registrations, 1);
    assert.equal((await lab.delete()).status, 204);
  });
});

test('a sealed value differs each time, and opens in its place only', () => {
  const cipher = cipherOf(Buffer.alloc(32, 1));
  const sealed = cipher.seal('text', ['numero', 'type', 'id']);
  assert.notEqual(sealed, cipher.seal('text', ['numero', 'type', 'id']));
  assert.equal(cipher.open(sealed, ['numero', 'type', 'id']), 'text');
  for (const place of [
    ['other', 'type', 'id'],
    ['numero', 'typ', 'eid'],
    ['numero', 'type', 'id2'],
  ]) {
    assert.throws(() => cipher.open(sealed, place), DecryptionError);
  }
  for (const broken of ['', 'AAAA', sealed.slice(0, -8)]) {
    assert.throws(() => cipher.open(broken, ['numero', 'type', 'id']), DecryptionError);
  }
  assert.throws(() => cipherOf(Buffer.alloc(32, 2)).open(sealed, ['numero', 'type', 'id']), DecryptionError);
});

describe('a key file', () => {
  const refused = (file: string, message: string) =>
    assert.throws(() => cipherOfFile(file), { name: 'FolderError', message });

  test('is refused when it is missing, or no file', () => {
    const folder = temporaryFolder();
    refused(
      join(folder, 'key'),
      `The key file '${folder}/key' does not exist: create it with openssl rand -hex 32, or, if the store is encrypted, copy its key there.`,
    );
    chmodSync(folder, 0o700);
    for (const odd of [folder, '/dev/zero']) {
      refused(
        odd,
        `The key file '${odd}' is not a regular file: create it with openssl rand -hex 32, or, if the store is encrypted, copy its key there.`,
      );
    }
    const long = makeKey(folder, 'ab');
    truncateSync(long, 3_000_000_000);
    refused(
      long,
      `The key file '${long}' is larger than 1 MB: create it with openssl rand -hex 32, or, if the store is encrypted, copy its key there.`,
    );
  });

  test('is refused when others can read it, with the command that helps', () => {
    const file = makeKey(temporaryFolder(), 'ab');
    chmodSync(file, 0o640);
    refused(file, `Other users can read the key file. Run this first: chmod go-rw '${file}'`);
  });

  test('is refused when it holds no key, which is not quoted', () => {
    const file = join(temporaryFolder(), 'key');
    for (const text of ['', 'ab'.repeat(31), 'ab'.repeat(33), 'xy'.repeat(32), `${'ab'.repeat(32)}\nmore`]) {
      rmSync(file, { force: true });
      writeFileSync(file, text, { mode: 0o600 });
      refused(
        file,
        `The key file '${file}' does not hold a key: 64 hexadecimal characters, as openssl rand -hex 32 writes them.`,
      );
    }
  });
});

describe('a change of keys', () => {
  test('seals every value anew, and leaves nothing of the old key', async (t) => {
    const parent = temporaryFolder();
    const folder = join(parent, 'data');
    const [old, fresh] = [makeKey(parent, 'ab'), makeKey(parent, 'cd')];
    await (await makeSessions(folder)).close();
    for (const [from, to, key] of [
      [undefined, old, AB],
      [old, fresh, CD],
    ] as const) {
      const values = valuesIn(folder);
      assert.deepEqual(await rekey(folder, from, to), { sessions: 3, key });
      for (const value of values) assert.deepEqual(filesWith(folder, value), []);
    }
    assert.deepEqual(filesWith(folder, String(AB)), []);
    const store = await openSessions(folder, { keyFile: fresh });
    t.after(() => store.close());
    assert.deepEqual(await contentOf(store), CONTENT);
  });

  test('is refused with the wrong old key, without a store, and beside a gateway, and changes nothing', async (t) => {
    const parent = temporaryFolder();
    const folder = join(parent, 'data');
    const [old, fresh] = [makeKey(parent, 'ab'), makeKey(parent, 'cd')];
    const refused = (run: Promise<unknown>, message: string) =>
      assert.rejects(run, { name: 'FolderError', message });
    await refused(
      rekey(folder, undefined, old),
      `There is no store in '${folder}': name the gateway's folder with --data.`,
    );
    const store = await makeSessions(folder);
    await refused(
      rekey(folder, undefined, old),
      `The folder '${folder}' is in use, by a gateway or a backup: stop that first, or choose another with --data.`,
    );
    await store.close();
    const before = readFileSync(join(folder, 'sessions.sqlite'));
    await refused(
      rekey(folder, old, fresh),
      `The store in '${folder}' is not encrypted: leave --key-file out.`,
    );
    const heal = failSql(t, /INTO archive /);
    await refused(
      rekey(folder, undefined, old),
      `No space left on the disk of '${folder}': free some and start again.`,
    );
    heal();
    await refused(
      rekey(folder, undefined, join(parent, 'none')),
      `The key file '${parent}/none' does not exist: create it with openssl rand -hex 32, or, if the store is encrypted, copy its key there.`,
    );
    assert.equal(readFileSync(join(folder, 'sessions.sqlite')).length, before.length);
    const again = await openSessions(folder);
    t.after(() => again.close());
    assert.deepEqual(await contentOf(again), CONTENT);
  });

  test('is refused when a value is damaged, and changes nothing', async (t) => {
    const parent = temporaryFolder();
    const folder = join(parent, 'data');
    const [old, fresh] = [makeKey(parent, 'ab'), makeKey(parent, 'cd')];
    await (await makeSessions(folder, { keyFile: old })).close();
    const db = new Database(join(folder, 'sessions.sqlite'));
    db.exec("UPDATE key SET value = 'AAAA' WHERE session = 2 AND type = 'device-list'");
    db.close();
    await assert.rejects(rekey(folder, old, fresh), {
      name: 'FolderError',
      message:
        `A value in the store in '${folder}' is damaged, or was encrypted with another key file: ` +
        'bring a backup back with restore.',
    });
    const store = await openSessions(folder, { keyFile: old });
    t.after(() => store.close());
    assert.equal((await devicesOf(store)).get(NUMEROS[0]).phone, NUMEROS[0]);
  });
});

/** Returns the stored values of all sessions. */
function valuesIn(folder: string): string[] {
  const db = new Database(join(folder, 'sessions.sqlite'));
  const rows = db.prepare('SELECT value FROM key UNION SELECT value FROM archive').all();
  db.close();
  return rows.map((row) => String(Object(row).value));
}
