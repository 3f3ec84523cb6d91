import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { until } from '../../../test/support/until.ts';
import { Listener } from '../../src/cluster/listener.ts';
import { startLink } from './support/link.ts';
import { CIPHER } from './support/member.ts';
import { freshDatabase, sharedPostgres } from './support/postgres.ts';
import { connectTables } from './support/tables.ts';

test('listens on one connection only, however often it listened anew while the server was frozen', async (t) => {
  const link = await startLink(t, (await sharedPostgres()).port);
  const url = await freshDatabase();
  const { sql } = await connectTables(t, url);
  const listener = new Listener(
    link.url(url),
    { cipher: () => CIPHER, received: () => {}, listening: () => {}, unreadable: assert.fail },
    pino({ enabled: false }),
  );
  t.after(() => listener.end());
  await listener.open();
  link.freeze();
  const listening = async () =>
    (
      await sql`
        SELECT FROM pg_stat_activity WHERE application_name LIKE '% listener' AND datname = current_database()`
    ).length;
  for (let times = 0; times < 3; times++) {
    const { taken } = link;
    await listener.renew();
    await until(() => link.taken > taken, 'an attempt to listen');
  }
  link.thaw();
  await until(() => listener.mark(sql), 'a mark to arrive');
  await until(async () => (await listening()) === 1, 'one connection');
  link.cut();
  await until(() => listener.mark(sql), 'a mark to arrive again');
  // The server's end of the one that was cut may live on for a while.
  await until(async () => (await listening()) === 1, 'one connection again');
});
