import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { until } from '../../../test/support/until.ts';
import type { Gateway } from '../../src/gateway.ts';
import { AccessLab, ask, fileOf, listAt, tokenOf } from './support/access-lab.ts';
import { type Person, seenBy } from './support/access-model.ts';
import { startLink } from './support/link.ts';
import { sharedPostgres } from './support/postgres.ts';

const GUARD: Person = { name: 'Guardia', may: ['see'] };
const SOUTH: Person = { name: 'Susana', may: ['see', 'send', 'label'], groups: ['Sur'] };
const BOTH: Person = { name: 'Berta', may: ['see', 'codes'], groups: ['Norte', 'Sur'] };
const PEOPLE = [GUARD, SOUTH, BOTH];

const cleanups: (() => unknown)[] = [];
const scope = { after: (task: () => unknown) => void cleanups.push(task) };
let lab: AccessLab;

before(async () => {
  lab = await AccessLab.start(scope, await sharedPostgres(), fileOf(PEOPLE));
  for (const [numero, group] of [
    ['5215550001110', 'Norte'],
    ['5215550001120', 'Sur'],
  ]) {
    assert.equal((await ask(lab.at(0), `/api/session/levanta/${numero}`)).status, 200);
    const details = { method: 'PUT', body: { group } };
    assert.equal((await ask(lab.at(0), `/api/session/${numero}/details`, details)).status, 200);
  }
});

after(async () => {
  for (const cleanup of cleanups.reverse()) await cleanup();
});

const statusOf = async (gateway: Gateway, person: Person) =>
  (await ask(gateway, '/api/session/sessions', { token: tokenOf(person) })).status;
describe('changes of access files', () => {
  test('a change of one access file takes effect at every gateway, and on open sockets', async () => {
    const panels = await lab.panelsOf(PEOPLE);
    const sockets = (person: Person) => (panels.get(person) ?? []).map(({ socket }) => socket);
    // The guard's token is withdrawn, and Susana sees another group.
    const moved = { ...SOUTH, groups: ['Norte'] };
    lab.write(lab.files[1] ?? '', fileOf([moved, BOTH]));
    await until(
      () => [...sockets(GUARD), ...sockets(SOUTH)].every(({ connected }) => !connected),
      'their end',
    );
    assert.ok(sockets(BOTH).every(({ connected }) => connected));
    const list = await lab.agreed((items) => items.length === 2 && items.every(({ group }) => group));
    for (const gateway of lab.gateways) {
      assert.equal(await statusOf(gateway, GUARD), 401);
      assert.deepEqual(await listAt(gateway, tokenOf(SOUTH)), seenBy(moved, list));
    }

    const [first] = lab.gateways;
    lab.write(lab.files[0] ?? '', '{"users":');
    await until(
      () => lab.lines.some((line) => line.includes('what it said before still holds')),
      'a line in the log',
    );
    assert.ok(first && (await statusOf(first, BOTH)) === 200);
    assert.equal(await statusOf(first, GUARD), 401);
    for (const socket of sockets(BOTH)) socket.disconnect();
  });

  test('a gateway that starts later with an older file uses the newer one, also when it reads its own again', async () => {
    const late = await lab.add(fileOf(PEOPLE), 1_700_000_000_000);
    for (const when of ['at its start', 'later']) {
      for (const gateway of lab.gateways) {
        assert.deepEqual([await statusOf(gateway, GUARD), await statusOf(gateway, BOTH)], [401, 200], when);
      }
      late.reload();
    }
  });

  test('a change counts at once where the database is away, and everywhere once it is back', async () => {
    const link = await startLink(scope, Number(new URL(lab.database).port));
    const cut = await lab.add(fileOf([BOTH]), 1_700_000_000_000, link.url(lab.database));
    const statuses = () => Promise.all(lab.gateways.map((gateway) => statusOf(gateway, BOTH)));
    assert.deepEqual(new Set(await statuses()), new Set([200]));
    link.freeze();
    lab.write(lab.files.at(-1) ?? '', fileOf([GUARD]));
    cut.reload();
    assert.deepEqual(await statuses(), [200, 200, 200, 200, 401]);
    link.thaw();
    await until(async () => (await statuses()).every((status) => status === 401), 'the exchange');
    for (const gateway of lab.gateways) assert.equal(await statusOf(gateway, GUARD), 200);
  });
});
