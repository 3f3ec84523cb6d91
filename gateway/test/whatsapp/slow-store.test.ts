import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { until } from '../../../test/support/until.ts';
import { DeviceCredentials } from '../../src/engines/whatsapp/credentials.ts';
import { type Library, loadLibrary } from '../../src/engines/whatsapp/library.ts';
import { Operations } from '../../src/ledger/operations.ts';
import type { Change } from '../../src/ledger/row.ts';
import { StoreError } from '../../src/ledger/store-error.ts';
import { startEngine } from './support/engine-lab.ts';

const NUMERO = '5215550001111';
const OTHER = '34600000001';

let library: Library;

before(async () => {
  library = await loadLibrary();
});

function full(): Error {
  return new StoreError('write-keys', NUMERO, '53100');
}

/** Whether a write makes the gateway a device of the account of NUMERO. */
function links(numero: string, changes: readonly Change[]): boolean {
  return (
    numero === NUMERO && changes.some(({ type, value }) => type === 'creds' && /"me":/.test(value ?? ''))
  );
}

describe('a store that takes its time', () => {
  test('links a phone only once the credentials are saved', async (t) => {
    const lab = await startEngine(t, { holds: links });
    const { whatsapp, store, engine } = lab;
    await engine.start(NUMERO, lab.report(NUMERO));
    const phone = whatsapp.phone(NUMERO);
    const scanned = phone.scan(await lab.code(NUMERO));
    await until(() => store.held.length > 0, 'the credentials');
    await until(() => store.held.length > 0, 'the credentials');
    await lab.link(OTHER);
    assert.deepEqual(phone.devices, []);
    assert.ok(!lab.heard(NUMERO).includes('authenticated'));

    store.letGo();
    await scanned;
    await until(() => lab.heard(NUMERO).includes('ready'), 'the phone to be linked');
    assert.deepEqual(lab.heard(NUMERO).slice(-2), ['authenticated', 'ready']);
    assert.equal(phone.devices.length, 1);
  });

  test('links no phone whose credentials could not be saved', async (t) => {
    const lab = await startEngine(t, { holds: links });
    const { whatsapp, store, engine } = lab;
    await engine.start(NUMERO, lab.report(NUMERO));
    const phone = whatsapp.phone(NUMERO);
    const scanned = assert.rejects(phone.scan(await lab.code(NUMERO)));
    await until(() => store.held.length > 0, 'the credentials');
    await until(() => store.held.length > 0, 'the credentials');
    store.held[0]?.fail(full());
    await scanned;
    await until(() => lab.heard(NUMERO).at(-1) === 'disconnected', 'the end');
    assert.ok(!lab.heard(NUMERO).includes('authenticated'));
    assert.deepEqual(phone.devices, []);
  });
});

describe('a login', () => {
  test('waits until the store confirms it', async (t) => {
    const lab = await startEngine(t);
    const { whatsapp, store, engine } = lab;
    await lab.link(NUMERO);
    const phone = whatsapp.phone(NUMERO);
    const logins = phone.logins;
    let asked = 0;
    store.mayLogIn = async () => {
      asked += 1;
      if (asked < 3) throw full();
      return asked > 3;
    };
    // After two errors the store says no.
    await engine.start(NUMERO, lab.report(NUMERO));
    await until(() => asked === 3, 'the attempts');
    await until(() => whatsapp.connections === 0, 'the connection to end');
    assert.equal(phone.logins, logins);
    const before = lab.heard(NUMERO).length;
    await engine.start(NUMERO, lab.report(NUMERO));
    await until(() => lab.heard(NUMERO).slice(before).includes('ready'), 'the login');
    assert.equal(phone.logins, logins + 1);
  });

  test('is given up when the session is released meanwhile', async (t) => {
    const lab = await startEngine(t);
    const { whatsapp, store, engine } = lab;
    await lab.link(NUMERO);
    const { logins } = whatsapp.phone(NUMERO);
    let confirm = (_: boolean) => {};
    store.mayLogIn = () =>
      new Promise((resolve) => {
        confirm = resolve;
      });
    await engine.start(NUMERO, lab.report(NUMERO));
    await engine.release(NUMERO);
    confirm(true);
    store.mayLogIn = async () => true;
    await lab.link(OTHER);
    assert.equal(whatsapp.phone(NUMERO).logins, logins);
  });
});

describe('a released session', () => {
  test('has no connection, has written everything, and can be resumed', async (t) => {
    let isHolding = false;
    const lab = await startEngine(t, { holds: () => isHolding });
    const { whatsapp, store, engine } = lab;
    await lab.link(NUMERO);
    const before = lab.heard(NUMERO).length;
    isHolding = true;
    void engine.send(NUMERO, OTHER, 'Hola', () => {});
    await until(() => store.held.length > 0, 'the write');
    let isReleased = false;
    const released = engine.release(NUMERO).then(() => {
      isReleased = true;
    });
    await until(() => whatsapp.connections === 0, 'the connection to end');
    assert.equal(isReleased, false);
    store.letGo();
    await released;
    assert.equal(lab.heard(NUMERO).length, before);

    await engine.resume([NUMERO, OTHER], lab.report);
    await until(() => lab.heard(NUMERO).length > before, 'the login');
    assert.deepEqual(lab.heard(NUMERO).slice(before), ['ready']);
    assert.equal(whatsapp.registrations, 1);
  });
});

describe('a session released while it is deleted', () => {
  for (const waits of ['for an answer', 'for a login'] as const) {
    test(`does not stay (it waits ${waits})`, async (t) => {
      const lab = await startEngine(t);
      const { whatsapp, store, engine } = lab;
      await lab.link(NUMERO);
      let isAsked = false;
      store.mayLogIn = () => {
        isAsked = true;
        return new Promise(() => {});
      };
      const phone = whatsapp.phone(NUMERO);
      if (waits === 'for an answer') phone.silenceLine();
      else phone.losesRemoval = true;
      const removed = assert.rejects(engine.remove(NUMERO), { code: 'NOT_OWNER' });
      await until(() => store.sessions().some(({ leaving }) => leaving), 'the mark');
      if (waits === 'for a login') await until(() => isAsked, 'the question');
      await engine.release(NUMERO);
      await removed;
      await until(() => whatsapp.connections === 0, 'the connection to end');
      assert.deepEqual(store.sessions(), [{ numero: NUMERO, leaving: true }]);
      assert.equal(phone.devices.length, 1);
    });
  }
});

describe('the writes of a session', () => {
  const begin = () => {
    const writes: { changes: readonly Change[]; go: () => void; fail: (error: Error) => void }[] = [];
    const keys = {
      first: () => undefined,
      get: async () => new Map<string, string>(),
      write: (changes: readonly Change[]) =>
        new Promise<void>((go, fail) => writes.push({ changes, go, fail })),
    };
    const credentials = new DeviceCredentials(NUMERO, keys, library, new Operations(assert.fail));
    credentials.auth.creds.me = { id: `${NUMERO}:1@s.whatsapp.net` };
    credentials.auth.creds.account = {};
    const set = async (id: string, text: string) =>
      credentials.auth.keys.set({ 'lid-mapping': { [id]: text } });
    const written = (index: number) => writes[index]?.changes.map(({ id, value }) => `${id}${value ?? ''}`);
    return { writes, credentials, set, written };
  };

  test('begin at the call, go one after the other, and take along what has changed', async () => {
    const { writes, credentials } = begin();
    const first = credentials.save();
    assert.equal(writes.length, 1);
    const others = [credentials.checkWritable(), credentials.save(), credentials.checkWritable()];
    await new Promise(setImmediate);
    assert.equal(writes.length, 1);
    writes[0]?.go();
    await first;
    await until(() => writes.length === 2, 'the next write');
    assert.deepEqual(writes[1]?.changes.map(({ type }) => type).sort(), ['creds', 'used']);
    writes[1]?.go();
    await Promise.all(others);
    await credentials.settled();
    assert.equal(writes.length, 2);
  });

  test('do not forget what changed while it was written, nor what failed', async () => {
    const { writes, credentials, set, written } = begin();
    const first = set('a', '1');
    await until(() => writes.length === 1, 'the first write');
    const save = credentials.save();
    writes[0]?.fail(full());
    await assert.rejects(first);
    await until(() => writes.length === 2, 'the next write');
    assert.equal(written(1)?.[0], 'a"1"');
    const second = set('a', '2');
    await new Promise(setImmediate);
    writes[1]?.go();
    await save;
    await until(() => writes.length === 3, 'the last write');
    assert.deepEqual(written(2), ['a"2"']);
    writes[2]?.go();
    await second;
  });

  test('are none after the credentials were dropped', async () => {
    const { writes, credentials } = begin();
    const first = credentials.save();
    const second = credentials.save();
    credentials.drop();
    writes[0]?.go();
    await Promise.all([first, second, credentials.checkWritable()]);
    assert.equal(writes.length, 1);
  });
});
