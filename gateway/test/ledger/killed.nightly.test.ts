import assert from 'node:assert/strict';
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { backup } from '../../src/ledger/backup.ts';
import { built } from '../support/built.ts';
import { call, itemOf } from '../support/gateway.ts';
import { GatewayProcess } from '../support/gateway-process.ts';
import { startFakeWhatsapp } from '../whatsapp/fake/whatsapp.ts';
import { onFolder } from '../whatsapp/support/layout.ts';
import { filesWith } from '../whatsapp/support/raw-files.ts';
import { runApart } from './support/commands.ts';
import {
  CONTENT,
  contentOf,
  makeKey,
  makeSessions,
  NUMEROS,
  openSessions,
  SECRET,
} from './support/stores.ts';

const AT_STATEMENT = built('test/preloads/kill-at-statement');
const AT_CALL = built('test/preloads/kill-at-call');
/** More changes than a command makes. */
const MOST = 60;

describe('a process that is killed', () => {
  test('while it changes the key leaves the store with one of the two', async () => {
    const parent = temporaryFolder();
    const folder = join(parent, 'data');
    const copy = `${folder}-old`;
    const [old, fresh] = [makeKey(parent, 'ab'), makeKey(parent, 'cd')];
    await (await makeSessions(folder, { keyFile: old })).close();
    cpSync(folder, copy, { recursive: true });
    const keys: string[] = [];
    for (const at of ['DROP TABLE session', 'INTO key', 'UPDATE cipher', 'COMMIT', 'journal_mode = WAL']) {
      rmSync(folder, { recursive: true });
      cpSync(copy, folder, { recursive: true });
      const script = `
        import { rekey } from '${built('src/ledger/rekey')}';
        await rekey(${[folder, old, fresh].map((name) => JSON.stringify(name)).join()});
        console.log('done');`;
      assert.equal(await runApart(script, [AT_STATEMENT], { WO_KILL_AT: at }), '', at);
      const keyFile = at === 'journal_mode = WAL' ? fresh : old;
      const store = await openSessions(folder, { keyFile });
      assert.deepEqual(await contentOf(store), CONTENT, at);
      assert.deepEqual(filesWith(folder, SECRET), []);
      await store.close();
      keys.push(keyFile);
    }
    assert.equal(new Set(keys).size, 2);
  });

  test('while it restores leaves a whole store, or none', async () => {
    const parent = temporaryFolder();
    const folder = join(parent, 'data');
    const file = join(parent, 'backup.sqlite');
    await (await makeSessions(folder)).close();
    await backup(folder, file);
    const sizes = new Set<number>();
    let calls = 0;
    for (let output = ''; output === ''; calls++) {
      assert.ok(calls < MOST);
      rmSync(folder, { recursive: true });
      const script = `
        import { restore } from '${built('src/ledger/restore')}';
        await restore(${JSON.stringify(folder)}, ${JSON.stringify(file)});
        console.log('done');`;
      output = await runApart(script, [AT_CALL], { WO_KILL_CALL: String(calls) });
      const store = await openSessions(folder);
      const content = await contentOf(store);
      if (content.length > 0) assert.deepEqual(content, CONTENT);
      sizes.add(content.length);
      await store.close();
    }
    assert.ok(calls > 5, `${calls} calls`);
    assert.deepEqual([...sizes].sort(), [0, 3]);
  });

  test('keeps every name, link and event that it has answered or shown', async (t) => {
    const folder = join(temporaryFolder(), 'data');
    const whatsapp = await startFakeWhatsapp();
    t.after(() => whatsapp.close());
    const url = `/api/session/${NUMEROS[0]}`;
    let names = {};
    let token = '';
    let seen: unknown[] = [];
    for (let kill = 0; kill < 4; kill++) {
      const owner = await new GatewayProcess(t, onFolder(folder, whatsapp)).listens();
      if (kill === 0) assert.equal((await owner.levanta(NUMEROS[0])).status, 200);
      else {
        const { label, group, link } = (await itemOf(owner, NUMEROS[0])) ?? assert.fail('it is gone');
        assert.deepEqual({ label, group }, names);
        assert.ok(link);
        const headers = { Authorization: `Bearer ${token}` };
        const opened = await call(owner, '/l/api/start', { method: 'POST', headers });
        assert.ok([204, 409].includes(opened.status), `${opened.status}`);
        const { body } = await call(owner, `${url}/history?limit=200`);
        assert.ok(Array.isArray(body));
        assert.deepEqual(body.slice(-seen.length), seen);
      }
      names = { label: `Ventas ${kill}`, group: `Grupo ${kill}` };
      assert.equal((await call(owner, `${url}/details`, { method: 'PUT', body: names })).status, 200);
      const link = await call(owner, `${url}/link`, { method: 'POST' });
      token = String(Object(link.body).url).split('#')[1] ?? assert.fail('no link');
      const { body } = await call(owner, `${url}/history?limit=200`);
      assert.ok(Array.isArray(body) && body.length > seen.length);
      seen = body;
      await owner.kill();
    }
  });
});
