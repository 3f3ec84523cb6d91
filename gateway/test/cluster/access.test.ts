import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { io } from 'socket.io-client';
import { STATES, type WireHistoryEntry, type WireListItem } from '../../../src/wire.ts';
import { until } from '../../../test/support/until.ts';
import {
  GROUP_REFUSAL,
  NOT_ALL,
  NOT_EVERYTHING,
  RIGHTS,
  rightRefusal,
  sessionRefusal,
} from '../../src/security/users.ts';
import { call, type Heard, type Listener, message } from '../support/gateway.ts';
import {
  AccessLab,
  ask,
  CALLS,
  type Call,
  fileOf,
  listAt,
  RECEIVER,
  TOKEN,
  tokenOf,
} from './support/access-lab.ts';
import { digits, has, heardBy, may, numeroOf, type Person, seenBy } from './support/access-model.ts';

/** Two sessions of each gateway, in this order: the first of Norte, the second of Sur. */
const NUMEROS = [
  '5215550001110',
  '5215550001120',
  '5215550001111',
  '5215550001121',
  '5215550001112',
  '5215550001122',
];
/** A number without a session. */
const NOBODYS = '5215550009999';
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
const LIMITED = [GUARD, NORTH, SOUTH, BOTH, ONE, WATCHED, SENDER];
const PEOPLE = [...LIMITED, LOOSE, ANA];

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
    for (const [index, numero] of NUMEROS.entries()) {
      const body = message(numero, [Number(RECEIVER)]);
      assert.equal(
        (await ask(lab.at(Math.floor(index / 2) + 2), '/api/message', { method: 'POST', body })).status,
        200,
      );
      phonesOf(index).read(RECEIVER);
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

  test('each call is answered by what its user may do, wherever the session is', async () => {
    const refusals: Promise<unknown>[] = [];
    const refused = async (place: number, person: Person, { path, ...init }: Call, sentence: string) => {
      const { status, body } = await ask(lab.at(place), path, { ...init, token: tokenOf(person) });
      assert.deepEqual([status, Object(body).message], [403, sentence], `${person.name}: ${path}`);
    };
    for (const person of LIMITED) {
      for (const place of [0, 1, 2]) {
        const isOfAll = may(person, 'see') && !person.groups && !person.numeros;
        if (!isOfAll) {
          const sentence = may(person, 'see') ? NOT_ALL : rightRefusal('see');
          refusals.push(refused(place, person, { path: '/metrics' }, sentence));
        }
        refusals.push(refused(place, person, { path: '/simulator/phones' }, NOT_EVERYTHING));
        if (!may(person, 'see')) {
          refusals.push(refused(place, person, { path: '/api/session/sessions' }, rightRefusal('see')));
        }
        for (const [right, toCall] of CALLS) {
          const numeros = may(person, right)
            ? [...NUMEROS, '+52 55 5000 1120', NOBODYS]
            : [NUMEROS[place] ?? ''];
          for (const numero of numeros) {
            const index = NUMEROS.findIndex((own) => digits(own) === digits(numero));
            if (may(person, right) && has(person, numero, index < 0 ? undefined : groupOf(index))) continue;
            const sentence = may(person, right) ? sessionRefusal(numero) : rightRefusal(right);
            refusals.push(refused(place, person, toCall(numero), sentence));
          }
        }
      }
    }
    await Promise.all(refusals);

    for (const numero of NUMEROS.filter((_, index) => groupOf(index) === 'Norte')) {
      const codes = new Set<unknown>();
      for (const place of [0, 1, 2]) {
        const statuses: number[] = [];
        for (const [right, toCall] of CALLS.filter(([each]) => each !== 'start' && each !== 'delete')) {
          const { path, ...init } = toCall(numero);
          const { status, body } = await ask(lab.at(place), path, { ...init, token: tokenOf(NORTH) });
          statuses.push(status);
          if (right === 'codes' && path.endsWith('pairing')) codes.add(Object(body).code);
          if (right === 'codes' && status === 200 && path.endsWith('link'))
            assert.match(Object(body).url, /#./);
        }
        assert.deepEqual(statuses, [200, 409, 200, 409, 200, 200, 204]);
      }
      assert.equal(codes.size, 1);
    }
    const own = '+52 555 000 1121';
    const body = message(own, [Number(RECEIVER)]);
    for (const place of [0, 1, 2]) {
      const { status } = await ask(lab.at(place), '/api/message', {
        method: 'POST',
        body,
        token: tokenOf(ONE),
      });
      assert.equal(status, 409);
    }
    for (const gateway of lab.gateways) {
      const headers = { Authorization: `Bearer ${tokenOf(GUARD)}` };
      assert.equal((await fetch(`${gateway.url}/metrics`, { headers })).status, 200);
      assert.equal((await call(gateway, '/api/session/sessions')).status, 401);
      const socket = io(gateway.url, { forceNew: true, reconnection: false });
      const error = await new Promise<Error>((resolve) => socket.on('connect_error', resolve));
      assert.equal(error.message, 'Falta el token de acceso');
    }
  });

  test('a history is read page by page at every gateway, by those who see its session', async () => {
    for (const [index, numero] of NUMEROS.entries()) {
      const pages = await Promise.all(
        lab.gateways.flatMap((gateway) =>
          [TOKEN, tokenOf(GUARD), tokenOf(groupOf(index) === 'Norte' ? NORTH : SOUTH)].map(async (token) => {
            const read: WireHistoryEntry[] = [];
            for (let before = ''; ; before = `&before=${read.at(-1)?.at}`) {
              const { status, body } = await ask(gateway, `/api/session/${numero}/history?limit=4${before}`, {
                token,
              });
              assert.equal(status, 200);
              const page = body as WireHistoryEntry[];
              read.push(...page);
              if (page.length < 4) return read;
            }
          }),
        ),
      );
      const [whole] = pages;
      assert.ok(whole && whole.length > 4);
      for (const page of pages) assert.deepEqual(page, whole);
    }
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
          ['session:deleted', { numero, notice: 'Pasó a otro grupo: ya no la ves' }],
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

  test('a session is of its group in every form of its numero, also of one that is no valid number', async () => {
    const [listed, typed] = ['123-4567', '1234567'];
    assert.equal((await ask(lab.at(0), `/api/session/levanta/${listed}`)).status, 200);
    const statuses = (person: Person) =>
      Promise.all(
        lab.gateways.map(async (gateway) => {
          const history = `/api/session/${typed}/history`;
          return (await ask(gateway, history, { token: tokenOf(person) })).status;
        }),
      );
    const grouped = { method: 'PUT', body: { group: 'Norte' } };
    assert.deepEqual(
      [await statuses(LOOSE), await statuses(NORTH)],
      [
        [200, 200, 200],
        [403, 403, 403],
      ],
    );
    assert.equal((await ask(lab.at(1), `/api/session/${listed}/details`, grouped)).status, 200);
    await lab.agreed((list) => list.at(-1)?.group === 'Norte');
    assert.deepEqual(
      [await statuses(LOOSE), await statuses(NORTH)],
      [
        [403, 403, 403],
        [200, 200, 200],
      ],
    );
    assert.equal((await ask(lab.at(2), `/api/session/${typed}`, { method: 'DELETE' })).status, 204);
  });

  test('who did something is known at every gateway', async () => {
    const index = 2;
    const numero = NUMEROS[index] ?? '';
    const itemEverywhere = async (isLike: (item: WireListItem) => boolean) =>
      lab.agreed((list) => list.some((item) => item.numero === numero && isLike(item)));
    const historyOf = async () => {
      const { body } = await ask(lab.at(index), `/api/session/${numero}/history`);
      return (body as WireHistoryEntry[]).map(({ event, by }) => [event, by]);
    };
    const token = tokenOf(NORTH);
    assert.equal((await ask(lab.at(2), `/api/session/levanta/${numero}`, { token })).status, 200);
    await itemEverywhere(({ by }) => by === NORTH.name);
    lab.clock.advance(1_000);
    await itemEverywhere(({ qrCode }) => qrCode !== undefined);
    assert.equal((await post(0, numero, 'link', { token })).status, 200);
    assert.equal(
      (await ask(lab.at(2), `/api/session/${numero}/link`, { method: 'DELETE', token })).status,
      204,
    );
    phonesOf(index).scan(numero, phonesOf(index).get(numero)?.code ?? '');
    lab.clock.advance(1_500);
    await itemEverywhere(({ state, by }) => state === STATES.connected && by === undefined);
    assert.equal((await post(2, numero, 'unlink', { token })).status, 202);
    await itemEverywhere(({ reason, by }) => reason?.code === 'unlinked' && by === NORTH.name);
    assert.equal((await ask(lab.at(0), `/api/session/levanta/${numero}`)).status, 200);
    await itemEverywhere(({ waiting, by }) => waiting && by === undefined);
    assert.deepEqual((await historyOf()).slice(0, 8), [
      ['started', 'servidor-2'],
      ['disconnected', NORTH.name],
      ['ready', undefined],
      ['authenticated', undefined],
      ['link_revoked', NORTH.name],
      ['link_created', NORTH.name],
      ['qr', undefined],
      ['started', NORTH.name],
    ]);

    const admins = await lab.listen(TOKEN);
    // Some while a code is being written.
    const fresh = Array.from({ length: 8 }, (_, count) => `52155500020${10 + count}`);
    const deletions = [
      ...fresh.map((each) => [each, ANA] as const),
      ...[NUMEROS[2], NUMEROS[4]].map((each = '') => [each, NORTH] as const),
      [NUMEROS[3] ?? '', ONE] as const,
    ];
    for (const [each, person] of deletions) {
      if (person === ANA) {
        assert.equal((await ask(lab.at(0), `/api/session/levanta/${each}`)).status, 200);
        lab.clock.advance(1_000);
      }
      const deletion = { method: 'DELETE', token: tokenOf(person) };
      assert.equal((await ask(lab.at(0), `/api/session/${each}`, deletion)).status, 204);
    }
    const deleted = deletions.map(([each, { name }]) => [
      'session:deleted',
      { numero: each, notice: `Eliminada por ${name}` },
    ]);
    for (const { all, socket } of admins) {
      const heard = () => all.filter(([name]) => name === 'session:deleted');
      await until(() => heard().length === deleted.length, 'the deletions');
      assert.deepEqual(heard(), deleted);
      socket.disconnect();
    }
  });
});
