import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { until } from '../../../test/support/until.ts';
import { StoreError } from '../../src/ledger/store-error.ts';
import { startEngine } from './support/engine-lab.ts';
import { NUMERO, OTHER } from './support/lab.ts';
import { filesWith } from './support/raw-files.ts';

const UNLINKED = { type: 'disconnected', reason: 'unlinked' };

describe('unlinking a session', () => {
  test('removes the device and its keys; the session stays, and can be linked again', async (t) => {
    const lab = await startEngine(t);
    await lab.link(NUMERO);
    await lab.engine.unlink(NUMERO);
    assert.deepEqual(lab.whatsapp.phone(NUMERO).devices, []);
    assert.deepEqual(lab.heard(NUMERO), ['qr', 'authenticated', 'ready', 'disconnected']);
    assert.deepEqual(lab.events(NUMERO).at(-1), UNLINKED);
    assert.deepEqual(filesWith(lab.folder, '"Buffer"'), []);
    assert.deepEqual(lab.store.sessions(), [{ numero: NUMERO, leaving: false }]);
    assert.deepEqual(lab.printed, []);
    await lab.reopen();
    await assert.rejects(lab.engine.unlink(NUMERO), { name: 'NotLinked' });
    await lab.link(NUMERO);
    assert.equal(lab.whatsapp.registrations, 2);
  });

  test('without a connection still erases the keys, and logs what is left to do', async (t) => {
    const lab = await startEngine(t);
    await lab.link(NUMERO);
    await lab.whatsapp.goDown();
    await lab.engine.unlink(NUMERO);
    assert.deepEqual(lab.events(NUMERO).at(-1), UNLINKED);
    assert.deepEqual(filesWith(lab.folder, '"Buffer"'), []);
    assert.deepEqual(lab.printed.slice(-1), [
      `WhatsApp could not be told that ${NUMERO} was unlinked: remove the device on the phone.`,
    ]);
    await lab.whatsapp.comeBack();
    await lab.link(NUMERO);
  });

  test('while it is reconnecting uses a new connection', async (t) => {
    const lab = await startEngine(t, { timings: { retryFirst: 3_600_000, retryMost: 3_600_000 } });
    await lab.link(NUMERO);
    lab.whatsapp.phone(NUMERO).cutLine();
    await lab.last(NUMERO, 'state');
    await lab.engine.unlink(NUMERO);
    assert.deepEqual(lab.whatsapp.phone(NUMERO).devices, []);
    assert.deepEqual(lab.printed, []);
  });

  test('whose proxy cannot be read goes by the open connection, and by no new one', async (t) => {
    const lab = await startEngine(t, { timings: { retryFirst: 3_600_000, retryMost: 3_600_000 } });
    await lab.link(NUMERO);
    await lab.link(OTHER);
    lab.store.proxy = () => {
      throw new StoreError('read-archive', NUMERO, 'SQLITE_IOERR');
    };
    await lab.engine.unlink(NUMERO);
    assert.deepEqual(lab.whatsapp.phone(NUMERO).devices, []);
    lab.whatsapp.phone(OTHER).cutLine();
    await lab.last(OTHER, 'state');
    await assert.rejects(lab.engine.unlink(OTHER), { name: 'StoreError' });
    assert.equal(lab.whatsapp.phone(OTHER).logins, 1);
    await until(() => lab.whatsapp.connections === 0, 'the connections to end');
  });

  test('changes nothing if the store takes no writes', async (t) => {
    let isFull = false;
    const lab = await startEngine(t, { holds: () => isFull });
    await lab.link(NUMERO);
    isFull = true;
    const refused = assert.rejects(lab.engine.unlink(NUMERO), { name: 'StoreError', isFull: true });
    await until(() => lab.store.held.length > 0, 'the write');
    lab.store.held[0]?.fail(new StoreError('write-keys', NUMERO, 'SQLITE_FULL'));
    await refused;
    isFull = false;
    assert.equal(lab.events(NUMERO).at(-1)?.type, 'ready');
    assert.equal(await lab.engine.send(NUMERO, OTHER, 'Hola', () => {}), 'sent');
  });

  test('whose keys could not be erased says so; the next start finds that it was logged out', async (t) => {
    const lab = await startEngine(t);
    await lab.link(NUMERO);
    const broken = new StoreError('erase', NUMERO, 'SQLITE_IOERR');
    lab.store.erasure = async () => {
      throw broken;
    };
    await assert.rejects(lab.engine.unlink(NUMERO), broken);
    assert.deepEqual(lab.events(NUMERO).at(-1), { type: 'disconnected' });
    assert.deepEqual(lab.whatsapp.phone(NUMERO).devices, []);
    // As after a kill between the two.
    await lab.reopen();
    assert.deepEqual(await lab.last(NUMERO, 'disconnected', lab.events(NUMERO).at(-1)), {
      type: 'disconnected',
      reason: 'logged-out',
    });
    await until(() => filesWith(lab.folder, '"Buffer"').length === 0, 'the keys to be erased');
    assert.equal(lab.whatsapp.phone(NUMERO).logins, 1);
    await lab.link(NUMERO);
  });
});
