import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { built } from '../support/built.ts';
import { printed } from './support/printed.ts';

describe('console output of the client library', () => {
  test('is dropped, private keys included; other output is kept', async () => {
    // libsignal prints the session that it closes; the keys are in it.
    const script = `
      import { createRequire } from 'node:module';
      import { loadLibrary } from '${built('src/engines/whatsapp/library')}';
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

  test('cannot occur without --engine whatsapp: the library is not loaded', async () => {
    const script = `
      import { createRequire } from 'node:module';
      import { createGateway } from '${built('src/gateway')}';
      const gateway = createGateway({ port: 0 });
      await gateway.listen();
      await gateway.close();
      const loaded = Object.keys(createRequire(import.meta.url).cache);
      console.log(loaded.length > 0, loaded.filter((file) => /libsignal|baileys/.test(file)));`;
    assert.equal(await printed(script), 'true []\n');
  });
});
