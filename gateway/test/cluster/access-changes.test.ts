import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { until } from '../../../test/support/until.ts';
import type { Gateway } from '../../src/gateway.ts';
import { AccessLab, ask, fileOf, listAt, tokenOf } from './support/access-lab.ts';
import { type Person, seenBy } from './support/access-model.ts';

const GUARD: Person = { name: 'Guardia', may: ['see'] };
const SOUTH: Person = { name: 'Susana', may: ['see', 'send', 'label'], groups: ['Sur'] };
const BOTH: Person = { name: 'Berta', may: ['see', 'codes'], groups: ['Norte', 'Sur'] };
const PEOPLE = [GUARD, SOUTH, BOTH];

const cleanups: (() => unknown)[] = [];
const scope = { after: (task: () => unknown) => void cleanups.push(task) };
let lab: AccessLab;

before(async () => {
  lab = await AccessLab.start(scope, fileOf(PEOPLE));
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

test('a change of an access file counts at its gateway alone, and a gateway with an old file changes nothing elsewhere', async () => {
  const panels = await lab.panelsOf(PEOPLE);
  const sockets = (person: Person) => (panels.get(person) ?? []).map(({ socket }) => socket);
  // The guard's token is withdrawn, and Susana sees another group.
  const moved = { ...SOUTH, groups: ['Norte'] };
  lab.write(lab.files[1] ?? '', fileOf([moved, BOTH]));
  const ended = () => [GUARD, SOUTH].every((person) => !sockets(person)[1]?.connected);
  await until(ended, 'the end of their sockets there');
  const others = [GUARD, SOUTH].flatMap((person) => sockets(person).filter((_, place) => place !== 1));
  assert.ok([...sockets(BOTH), ...others].every(({ connected }) => connected));
  const list = await lab.agreed((items) => items.length === 2 && items.every(({ group }) => group));
  assert.deepEqual(await listAt(lab.at(1), tokenOf(SOUTH)), seenBy(moved, list));
  assert.deepEqual(await listAt(lab.at(0), tokenOf(SOUTH)), seenBy(SOUTH, list));

  const late = await lab.add(fileOf(PEOPLE));
  assert.equal(await statusOf(late, GUARD), 200);
  assert.equal(await statusOf(lab.at(1), GUARD), 401);
});
