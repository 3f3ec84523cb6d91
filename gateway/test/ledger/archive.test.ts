import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import Database from 'libsql';
import type { Scope } from '../../../test/support/scope.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { until } from '../../../test/support/until.ts';
import { PLAIN } from '../../src/ledger/cipher.ts';
import { Ledger } from '../../src/ledger/ledger.ts';
import { Postgres } from '../../src/ledger/postgres.ts';
import { openLedger } from '../../src/ledger/sqlite.ts';
import { tokenHash } from '../../src/sessions/links.ts';
import { freshDatabase } from '../cluster/support/postgres.ts';
import { failSql } from '../whatsapp/support/failing-sql.ts';
import { type ArchiveLab, archiveTests } from './archive.ts';
import { connectSessions, joinAlone, openShared } from './support/postgres-sessions.ts';
import { NUMEROS } from './support/stores.ts';

const [NUMERO] = NUMEROS;

describe('the archive in SQLite', () => {
  const startLab = async (t: Scope): Promise<ArchiveLab & { folder: string }> => {
    const folder = join(temporaryFolder(), 'data');
    const printed: string[] = [];
    let store = await openLedger(folder, (sentence) => printed.push(sentence));
    t.after(() => store.close());
    for (const numero of NUMEROS) await store.add(numero);
    return {
      folder,
      archive: store,
      printed,
      async renew(numero) {
        await store.remove(numero);
        await store.add(numero);
      },
      async reopen() {
        await store.close();
        store = await openLedger(folder, (sentence) => printed.push(sentence));
        return store;
      },
      async fill() {
        const heal = failSql(t, /(?:INSERT INTO|DELETE FROM) archive /);
        return async () => heal();
      },
    };
  };

  archiveTests(startLab);

  test('of a session that is unlisted nothing is left, nor written until it is added again', async (t) => {
    const store = await openLedger(temporaryFolder(), assert.fail);
    t.after(() => store.close());
    const archive = store;
    const entry = { at: Date.now(), event: 'ready', state: 'CONNECTED' };
    const link = { hash: tokenHash('a'), expires: Date.now() + 60_000 };
    const writeAll = async () => {
      await archive.record([{ numero: NUMERO, entry }]);
      await archive.describe(NUMERO, { label: 'Ventas' });
      await archive.setLink(NUMERO, link);
    };
    const kept = async () => [
      archive.profile(NUMERO),
      archive.link(NUMERO),
      await archive.history(NUMERO, 1),
    ];
    const nothing = [{}, undefined, []];
    await store.add(NUMERO);
    await writeAll();
    await store.unlist(NUMERO);
    assert.deepEqual(store.sessions(), [{ numero: NUMERO, leaving: true }]);
    assert.deepEqual(await kept(), nothing);
    await assert.rejects(writeAll(), { name: 'StoreError', code: 'NOT_OWNER' });
    await store.add(NUMERO);
    assert.deepEqual(await kept(), nothing);
    await writeAll();
    assert.deepEqual(await kept(), [{ label: 'Ventas' }, link, [entry]]);
  });

  test('a damaged value is refused, and the rest can be read', async (t) => {
    const { archive, folder, printed, reopen } = await startLab(t);
    await archive.describe(NUMERO, { label: 'Ventas' });
    await archive.setLink(NUMERO, { hash: tokenHash('a'), expires: Date.now() + 60_000 });
    await archive.record([{ numero: NUMERO, entry: { at: Date.now(), event: 'ready', state: 'CONNECTED' } }]);
    const db = new Database(join(folder, 'sessions.sqlite'));
    t.after(() => db.close());
    const damage = (text: string) => {
      db.prepare('UPDATE archive SET value = ? WHERE session = 1').run(text);
    };
    const failed = { name: 'StoreError', task: 'read-archive', numero: NUMERO };
    for (const value of ['{', '[1]', '{"label":{},"expires":"never","at":null}']) {
      damage(value);
      const again = await reopen();
      const before = printed.length;
      assert.throws(() => again.profile(NUMERO), failed);
      assert.throws(() => again.link(NUMERO), failed);
      assert.deepEqual(await again.history(NUMERO, 10), []);
      assert.equal(printed.length - before, 2);
      assert.match(printed[before] ?? '', /^The store fails \(\w+\): read-archive of \d+\.$/);
      assert.match(
        printed[before + 1] ?? '',
        /^Entries of the history of \d+ cannot be read, and are left out: 1\.$/,
      );
      assert.deepEqual(again.profile(NUMEROS[1]), {});
    }
  });
});

describe('the archive in PostgreSQL', () => {
  const startLab = async (t: Scope) => {
    const shared = await connectSessions(await freshDatabase());
    t.after(() => shared.end());
    const { sql } = shared;
    const printed: string[] = [];
    let member = await joinAlone(shared);
    let store = new Ledger(new Postgres(() => member), {
      cipher: PLAIN,
      print: (sentence) => printed.push(sentence),
    });
    for (const numero of NUMEROS) await store.add(numero);
    return {
      shared,
      sql,
      archive: store,
      printed,
      async renew(numero: string) {
        await store.remove(numero);
        await store.add(numero);
      },
      async reopen() {
        await store.close();
        member = await joinAlone(shared);
        store = await openShared(member);
        return store;
      },
      async fill() {
        await sql`ALTER TABLE archive ADD CONSTRAINT full_disk CHECK (false) NOT VALID`;
        return async () => {
          await sql`ALTER TABLE archive DROP CONSTRAINT full_disk`;
        };
      },
    };
  };

  archiveTests(startLab);

  test('takes no entry of a session that is just being removed, and those of others', async (t) => {
    const { archive, shared } = await startLab(t);
    const entry = { at: Date.now(), event: 'ready', state: 'CONNECTED' };
    let recorded: Promise<void> = Promise.resolve();
    await shared.begin(async (tx) => {
      await tx`DELETE FROM session WHERE numero = ${NUMERO}`;
      recorded = archive.record(NUMEROS.map((numero) => ({ numero, entry })));
      recorded.catch(() => {});
      const waits = () => shared.sql`
        SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;
      await until(async () => (await waits()).length === 1, 'the entries to wait');
    });
    await recorded;
    assert.deepEqual(await shared.sql`SELECT session FROM archive`, [{ session: NUMEROS[1] }]);
  });

  test('does not wait for the states of its sessions, which are written beside it', async (t) => {
    const { archive, shared } = await startLab(t);
    const entry = { at: Date.now(), event: 'ready', state: 'CONNECTED' };
    await shared.begin(async (tx) => {
      await tx`UPDATE session SET state = 'CONNECTED'`;
      // The first entry of a process removes old ones.
      await archive.record([{ numero: NUMERO, entry }]);
    });
    assert.equal((await archive.history(NUMERO, 10)).length, 1);
  });

  test('has the whole session taken over even if its names are damaged', async (t) => {
    const { archive, sql } = await startLab(t);
    await archive.describe(NUMERO, { label: 'Ventas' });
    await sql`UPDATE archive SET value = '{'`;
    const printed: string[] = [];
    const member = await joinAlone({ sql });
    const store = new Ledger(new Postgres(() => member), {
      cipher: PLAIN,
      print: (sentence) => printed.push(sentence),
      lost: assert.fail,
    });
    await store.take([{ numero: NUMERO, leaving: false, epoch: '0' }]);
    assert.ok(store.has(NUMERO));
    assert.throws(() => store.profile(NUMERO), { name: 'StoreError', task: 'read-archive' });
    assert.deepEqual(printed, [`The store fails (SyntaxError): read-archive of ${NUMERO}.`]);
  });
});
