import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { printed } from './support/printed.ts';

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

describe('a promise that nobody hears', () => {
  const rejecting = (reject: string) => `
    import { loadLibrary } from './demo/gateway/whatsapp/library.ts';
    import { forLine, forNoLine } from './demo/gateway/whatsapp/blame.ts';
    await loadLibrary();
    ${reject}
    setTimeout(() => console.info('ours'), 100);`;

  test('is no end of the process when it came of what the library does for a line', async () => {
    const script = rejecting(`forLine(() => console.info('blamed'), () => {
      Promise.reject(1006);
      setTimeout(() => Promise.reject(new Error('later')), 10);
    });`);
    assert.equal(await printed(script), 'ours\n');
  });

  test('ends the process when it is ours, though the library has called', async () => {
    const script = rejecting(
      `forLine(() => {}, () => forNoLine(() => void Promise.reject(new Error('a bug'))));`,
    );
    await assert.rejects(printed(script), /a bug/);
  });
});
