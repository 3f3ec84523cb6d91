import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Runs a script from the project's folder and gives all that it printed. */
async function printed(script: string): Promise<string> {
  const args = ['--import', 'tsx', '--input-type=module', '--eval', script];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { cwd: ROOT });
  return stdout + stderr;
}

describe('what the library prints', () => {
  test('is dropped, private keys first of all, and what others print is not', async () => {
    // libsignal prints the session that it closes; the keys are in it.
    const script = `
      import { createRequire } from 'node:module';
      import { loadLibrary } from './demo/gateway/whatsapp/library.ts';
      await loadLibrary();
      const { SessionRecord } = createRequire(import.meta.resolve('@whiskeysockets/baileys'))('libsignal');
      const record = new SessionRecord();
      const session = SessionRecord.createEntry();
      session.indexInfo = { baseKey: Buffer.from('SECRET'), closed: -1 };
      record.closeSession(session);
      record.closeSession(session);
      record.openSession(session);
      console.info('ours');`;
    assert.equal(await printed(script), 'ours\n');
  });

  test('of the disk is no end of the process, when the library lets it fall', async () => {
    const script = `
      import { loadLibrary } from './demo/gateway/whatsapp/library.ts';
      import { StoreError } from './demo/gateway/whatsapp/disk.ts';
      await loadLibrary();
      Promise.reject(new StoreError('no room'));
      setImmediate(() => console.info('ours'));`;
    assert.equal(await printed(script), 'ours\n');
  });

  test('is nothing without --engine whatsapp, since nothing of it is loaded', async () => {
    const script = `
      import { createRequire } from 'node:module';
      import { createGateway } from './demo/gateway/gateway.ts';
      const gateway = createGateway({ port: 0 });
      await gateway.listen();
      await gateway.close();
      const loaded = Object.keys(createRequire(import.meta.url).cache);
      console.log(loaded.length > 0, loaded.filter((file) => /libsignal|libsql|baileys/.test(file)));`;
    assert.equal(await printed(script), 'true []\n');
  });
});
