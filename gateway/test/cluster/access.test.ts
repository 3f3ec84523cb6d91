import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { STATES, type WireHistoryEntry, type WireListItem } from '../../../src/wire.ts';
import { until } from '../../../test/support/until.ts';
import { GROUP_REFUSAL, RIGHTS } from '../../src/security/users.ts';
import { type Heard, type Listener, message } from '../support/gateway.ts';
import { AccessLab, ask, fileOf, listAt, RECEIVER, TOKEN, tokenOf } from './support/access-lab.ts';
import { heardBy, may, numeroOf, type Person, seenBy } from './support/access-model.ts';

/** Two sessions of each gateway, in this order: the first of Norte, the second of Sur. */
const NUMEROS = [
  '5215550001110',
  '5215550001120',
  '5215550001111',
  '5215550001121',
  '5215550001112',
  '5215550001122',
];
const groupOf = (index: number) => (index % 2 === 0 ? 'Norte' : 'Sur');
const groupOfNumero = (numero: string) => groupOf(NUMEROS.indexOf(numero));

const GUARD: Person = { name: 'Guardia', may: ['see'] };
const NORTH: Person = { name: 'Noemí 🦊', may: RIGHTS, groups: ['Norte'] };
const SOUTH: Person = { name: 'Susana', may: ['see', 'send', 'label'], groups: ['Sur'] };
const BOTH: Person = { name: 'Berta', may: ['see', 'codes'], groups: ['Norte', 'Sur'] };
const ONE: Person = { name: 'Uno', may: ['start', 'send', 'delete'], numeros: ['+52 555 000 1121'] };
const WATCHED: Person = { name: 'Vera', may: ['see', 'send'], numeros: ['5550001110', '525550001110'] };
const SENDER: Person = { name: 'Envíos', may: ['send'] };
const LOOSE: Person = { name: 'Lola', may: ['see', 'delete'], groups: [''] };
const ANA: Person = { name: 'Ana', may: RIGHTS };
const PEOPLE = [GUARD, NORTH, SOUTH, BOTH, ONE, WATCHED, SENDER, LOOSE, ANA];

const cleanups: (() => unknown)[] = [];
const scope = { after: (task: () => unknown) => void cleanups.push(task) };
let lab: AccessLab;

before(async () => {
  lab = await AccessLab.start(scope, fileOf(PEOPLE));
  for (const [index, numero] of NUMEROS.entries()) {
    const gateway = lab.at(Math.floor(index / 2));
    assert.equal((await ask(gateway, `/api/session/levanta/${numero}`)).status, 200);
    const body = { group: groupOf(index) };
    assert.equal((await ask(gateway, `/api/session/${numero}/details`, { method: 'PUT', body })).status, 200);
  }
  await lab.agreed(
    (list) => list.length === NUMEROS.length && list.every(({ group }) => group !== undefined),
  );
});

after(async () => {
  for (const cleanup of cleanups.reverse()) await cleanup();
});

/** The phone of a session, wherever it is. */
const phonesOf = (index: number) => lab.at(Math.floor(index / 2)).phones;

/** What panels hear beside the announcements at their beginning, in the order of each session. */
function bySession(pushes: readonly Heard[]): Heard[] {
  const heard = pushes.filter(([name]) => !name.startsWith('server:'));
  return NUMEROS.flatMap((numero) => heard.filter((push) => numeroOf(push) === numero));
}

/** Waits until the same was heard at all gateways, and each person heard the part that the person may. */
async function heardAsTheyMay(
  admins: readonly Listener[],
  panels: ReadonlyMap<Person, Listener[]>,
  last: (all: readonly Heard[]) => unknown,
) {
  await until(() => admins.every(({ all }) => last(all)), 'the last push');
  for (const [person, listeners] of panels) {
    for (const [place, { all }] of listeners.entries()) {
      const expected = bySession(heardBy(person, admins[place]?.all ?? [], groupOfNumero));
      await until(() => bySession(all).length >= expected.length, `${person.name} at gateway ${place + 1}`);
      assert.deepEqual(bySession(all), expected, `${person.name} at gateway ${place + 1}`);
      assert.equal(all.filter(([name]) => !name.startsWith('server:')).length, expected.length);
    }
  }
  const [first, ...others] = admins;
  for (const other of others) assert.deepEqual(bySession(other.all), bySession(first?.all ?? []));
}

const post = (place: number, numero: string, what: string, init = {}) =>
  ask(lab.at(place), `/api/session/${numero}/${what}`, { method: 'POST', ...init });

describe('users of gateways on one database', () => {
  test('each hears at every gateway what the user may see, whoever owns the session', async () => {
    const admins = await lab.listen(TOKEN);
    const panels = await lab.panelsOf(PEOPLE);

    lab.clock.advance(1_000);
    const coded = await lab.agreed((list) => list.every(({ qrCode }) => qrCode !== undefined));
    for (const person of PEOPLE.filter((each) => may(each, 'see'))) {
      for (const gateway of lab.gateways) {
        assert.deepEqual(await listAt(gateway, tokenOf(person)), seenBy(person, coded), person.name);
      }
    }
    for (const [index, numero] of NUMEROS.entries()) {
      // At the gateway after the owner.
      const place = Math.floor(index / 2) + 1;
      assert.equal((await post(place, numero, 'link')).status, 200);
      const { status, body } = await post(place, numero, 'pairing');
      assert.equal(status, 200);
      phonesOf(index).typeCode(numero, Object(body).code);
      const names = { label: `Teléfono ${index}` };
      assert.equal(
        (await ask(lab.at(place), `/api/session/${numero}/details`, { method: 'PUT', body: names })).status,
        200,
      );
    }
    lab.clock.advance(1_500);
    await lab.agreed((list) => list.every(({ state }) => state === STATES.connected));
    const able = await ask(lab.at(1), '/api/session/sessions?able=send&group=norte', {
      token: tokenOf(WATCHED),
    });
    assert.deepEqual(able.body, await listAt(lab.at(1), tokenOf(WATCHED)));
    for (const [index, numero] of NUMEROS.entries()) {
      const body = message(numero, [Number(RECEIVER)]);
      assert.equal(
        (await ask(lab.at(Math.floor(index / 2) + 2), '/api/message', { method: 'POST', body })).status,
        200,
      );
      phonesOf(index).phone(RECEIVER).read();
      assert.equal((await post(Math.floor(index / 2) + 1, numero, 'unlink')).status, 202);
      assert.equal(
        (await ask(lab.at(Math.floor(index / 2) + 1), `/api/session/levanta/${numero}`)).status,
        200,
      );
    }
    lab.clock.advance(1_000);
    const list = await lab.agreed((items) => items.every(({ qrCode }) => qrCode !== undefined));
    const isShown = (all: readonly Heard[], { numero, qrCode }: WireListItem) =>
      all.some(([name, code]) => name === `session:qr:${numero}` && code === qrCode);
    await heardAsTheyMay(admins, panels, (all) => list.every((item) => isShown(all, item)));
    for (const listener of [...admins, ...[...panels.values()].flat()]) listener.socket.disconnect();
  });

  test('a session that gets another group goes from the old panels, and comes to the new ones', async () => {
    const [numero = ''] = NUMEROS;
    const panels = await lab.panelsOf([GUARD, NORTH, SOUTH, BOTH, WATCHED, SENDER]);
    // At a gateway that does not own it.
    const rename = (body: object) =>
      ask(lab.at(1), `/api/session/${numero}/details`, { method: 'PUT', body });
    assert.equal((await rename({ group: 'Sur' })).status, 200);
    const [item] = await lab.agreed((list) => list[0]?.group === 'Sur');
    assert.ok(item);
    assert.equal((await rename({ label: 'Mudado' })).status, 200);

    const details = `session:details:${numero}`;
    const change: Heard[] = [
      [details, { group: 'Sur' }],
      [details, { label: 'Mudado' }],
    ];
    const expected = new Map<Person, Heard[]>([
      [
        NORTH,
        [
          [`session:disconnected:${numero}`],
          ['session:deleted', { numero, notice: 'Pasó a otro grupo: ya no la ves.' }],
        ],
      ],
      [SOUTH, [['session:created', seenBy(SOUTH, [item])[0]], ...change]],
      ...[GUARD, BOTH, WATCHED].map((person) => [person, change] as const),
      [SENDER, []],
    ]);
    for (const [person, listeners] of panels) {
      const wanted = expected.get(person) ?? [];
      for (const { all } of listeners) {
        const heard = () => all.filter(([name]) => !name.startsWith('server:'));
        await until(() => heard().length >= wanted.length, `the last push to ${person.name}`);
        assert.deepEqual(heard(), wanted, person.name);
      }
    }
    for (const gateway of lab.gateways) {
      const history = `/api/session/${numero}/history`;
      assert.equal((await ask(gateway, history, { token: tokenOf(NORTH) })).status, 403);
      assert.equal((await ask(gateway, history, { token: tokenOf(SOUTH) })).status, 200);
      const toSouth = { method: 'PUT', body: { group: 'Norte' }, token: tokenOf(SOUTH) };
      const { status, body } = await ask(gateway, `/api/session/${numero}/details`, toSouth);
      assert.deepEqual([status, Object(body).message], [403, GROUP_REFUSAL]);
    }
    assert.equal((await rename({ group: 'Norte' })).status, 200);
    for (const { all } of panels.get(NORTH) ?? []) {
      await until(() => all.some(([name]) => name === 'session:created'), 'its return');
    }
    for (const { socket } of [...panels.values()].flat()) socket.disconnect();
  });

  test('who did something is known at every gateway', async () => {
    const [numero = ''] = NUMEROS;
    const token = tokenOf(NORTH);
    const admins = await lab.listen(TOKEN);
    assert.equal((await ask(lab.at(1), `/api/session/levanta/${numero}`, { token })).status, 200);
    await lab.agreed((list) => list[0]?.by === NORTH.name);
    const { body } = await ask(lab.at(2), `/api/session/${numero}/history?limit=1`);
    assert.deepEqual(
      (body as WireHistoryEntry[]).map(({ event, by }) => [event, by]),
      [['started', NORTH.name]],
    );
    const deletion = { method: 'DELETE', token };
    assert.equal((await ask(lab.at(1), `/api/session/${numero}`, deletion)).status, 204);
    for (const { all, socket } of admins) {
      const heard = () => all.filter(([name]) => name === 'session:deleted');
      await until(() => heard().length > 0, 'the deletion');
      assert.deepEqual(heard(), [['session:deleted', { numero, notice: `Eliminada por ${NORTH.name}` }]]);
      socket.disconnect();
    }
  });

  test('a change of an access file counts at its gateway alone, and a gateway with an old file changes nothing elsewhere', async () => {
    const people = [GUARD, SOUTH, BOTH];
    const panels = await lab.panelsOf(people);
    const sockets = (person: Person) => (panels.get(person) ?? []).map(({ socket }) => socket);
    // The guard's token is withdrawn, and Susana sees another group.
    const moved = { ...SOUTH, groups: ['Norte'] };
    lab.write(lab.files[1] ?? '', fileOf([moved, BOTH]));
    const ended = () => [GUARD, SOUTH].every((person) => !sockets(person)[1]?.connected);
    await until(ended, 'the end of their sockets there');
    const others = [GUARD, SOUTH].flatMap((person) => sockets(person).filter((_, place) => place !== 1));
    assert.ok([...sockets(BOTH), ...others].every(({ connected }) => connected));
    const list = await lab.agreed((items) => items.every(({ group }) => group));
    assert.deepEqual(await listAt(lab.at(1), tokenOf(SOUTH)), seenBy(moved, list));
    assert.deepEqual(await listAt(lab.at(0), tokenOf(SOUTH)), seenBy(SOUTH, list));

    const late = await lab.add(fileOf(people));
    const statusAt = async (gateway: typeof late) =>
      (await ask(gateway, '/api/session/sessions', { token: tokenOf(GUARD) })).status;
    assert.deepEqual([await statusAt(late), await statusAt(lab.at(1))], [200, 401]);
  });
});
