import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { io } from 'socket.io-client';
import { EXTENSIONS, PERMISSIONS, STATES, type WireListItem } from '../../src/wire.ts';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { until } from '../../test/support/until.ts';
import type { GatewayOptions } from '../src/gateway-options.ts';
import { RIGHTS, UNSEEN_CODE } from '../src/security/users.ts';
import { AccessFile, bearer, type TestUser, tokenOf } from './support/access.ts';
import { type Answer, call, type Heard, Listener, message, startGateway } from './support/gateway.ts';
import { ManualClock } from './support/manual-clock.ts';

const TOKEN = 'un-token-de-prueba';
/** The sessions: of two groups, and of none. */
const SHOP = '34600000001';
const STORE = '34600000002';
const LOOSE = '34600000003';
const UNKNOWN = '34600000009';
const SEEDS = [SHOP, STORE, LOOSE].map((numero) => ({ numero, state: 'connected' }) as const);

const WATCH: TestUser = { name: 'Vela', may: ['see'] };
const SHOPKEEPER: TestUser = { name: 'Ana', may: RIGHTS, groups: ['Tienda'] };
const OWNER: TestUser = { name: 'Luis', may: ['see', 'start', 'send', 'delete'], numeros: [`+${STORE}`] };
const ROBOT: TestUser = { name: 'Robot', may: ['send'] };
const LINKER: TestUser = { name: 'Eva', may: ['see', 'codes'], groups: ['', 'Almacén'] };
const USERS = [WATCH, SHOPKEEPER, OWNER, ROBOT, LINKER];
const ADMIN = { headers: bearer(TOKEN) };

async function start(t: TestContext, options: GatewayOptions = {}) {
  const file = new AccessFile(USERS);
  const clock = new ManualClock();
  const gateway = await startGateway(t, {
    token: TOKEN,
    access: file.path,
    sessions: SEEDS,
    clock,
    ...options,
  });
  const put = (numero: string, body: unknown) =>
    call(gateway, `/api/session/${numero}/details`, { method: 'PUT', body, ...ADMIN });
  await put(SHOP, { group: 'Tienda' });
  await put(STORE, { group: 'Almacén' });
  const panel = (token: string) => Listener.connect(t, gateway, '/', { auth: { token } });
  const as =
    ({ name }: TestUser) =>
    (path: string, init: { method?: string; body?: unknown } = {}) =>
      call(gateway, path, { ...init, headers: bearer(tokenOf(name)) });
  return { gateway, clock, file, put, panel, as };
}

const listOf = ({ body }: Answer) => body as WireListItem[];
const numerosOf = (answer: Answer) => listOf(answer).map(({ numero }) => numero);
const sentenceOf = ({ body }: Answer) => Object(body).message;

describe('a user of the access file', () => {
  test('lists the own sessions, without codes that are not for it', async (t) => {
    const { gateway, clock, as } = await start(t);
    await call(gateway, `/api/session/${LOOSE}/unlink`, { method: 'POST', ...ADMIN });
    await call(gateway, `/api/session/levanta/${LOOSE}`, ADMIN);
    clock.advance(1_000);
    const list = '/api/session/sessions';
    assert.deepEqual(numerosOf(await as(SHOPKEEPER)(list)), [SHOP]);
    assert.deepEqual(numerosOf(await as(OWNER)(list)), [STORE]);
    const [, watched] = [await as(ROBOT)(list), await as(WATCH)(list)];
    assert.equal((await as(ROBOT)(list)).status, 403);
    assert.deepEqual(numerosOf(watched), [SHOP, STORE, LOOSE]);
    const unseen = listOf(watched)[2];
    assert.equal(unseen?.qrCode, undefined);
    assert.equal(unseen?.state, UNSEEN_CODE);
    const seen = listOf(await as(LINKER)(list))[1];
    assert.equal(seen?.state, STATES.authenticating);
    assert.ok(seen?.qrCode, 'no code');

    // Of those, the ones that can send, those of groups, or both.
    for (const [user, query, expected] of [
      [WATCH, 'able=send', [SHOP, STORE]],
      [WATCH, 'group=TIEN%E2%80%8BDA,', [SHOP, LOOSE]],
      [WATCH, 'group=', [LOOSE]],
      [WATCH, 'able=send&group=%20almac%C3%A9n,', [STORE]],
      [OWNER, 'able=send', [STORE]],
      [SHOPKEEPER, 'group=Almac%C3%A9n', []],
    ] as const)
      assert.deepEqual(numerosOf(await as(user)(`${list}?${query}`)), expected, query);
  });

  const calls: Record<string, (numero: string) => [path: string, init?: { method: string; body?: unknown }]> =
    {
      levanta: (numero) => [`/api/session/levanta/${numero}`],
      history: (numero) => [`/api/session/${numero}/history?limit=1&before=9999999999999`],
      message: (numero) => ['/api/message', { method: 'POST', body: message(numero, [34611111111]) }],
      details: (numero) => [`/api/session/${numero}/details`, { method: 'PUT', body: { label: 'Mía' } }],
      pairing: (numero) => [`/api/session/${numero}/pairing`, { method: 'POST' }],
      link: (numero) => [`/api/session/${numero}/link`, { method: 'POST' }],
      'no link': (numero) => [`/api/session/${numero}/link`, { method: 'DELETE' }],
      unlink: (numero) => [`/api/session/${numero}/unlink`, { method: 'POST' }],
      delete: (numero) => [`/api/session/${numero}`, { method: 'DELETE' }],
    };
  const ALL = Object.keys(calls);
  const allowed: [TestUser, string, readonly string[]][] = [
    [WATCH, SHOP, ['history']],
    [SHOPKEEPER, SHOP, ALL],
    [SHOPKEEPER, STORE, []],
    [SHOPKEEPER, LOOSE, []],
    [SHOPKEEPER, UNKNOWN, []],
    [OWNER, STORE, ['levanta', 'history', 'message', 'delete']],
    [OWNER, SHOP, []],
    [OWNER, UNKNOWN, []],
    [ROBOT, LOOSE, ['message']],
    [LINKER, STORE, ['history', 'pairing', 'link', 'no link']],
    [LINKER, SHOP, []],
  ];
  for (const [user, numero, may] of allowed) {
    test(`${user.name} may call ${may.join(', ') || 'nothing'} for ${numero}, and learns nothing else`, async (t) => {
      const { gateway, as } = await start(t);
      const before = await call(gateway, '/api/session/sessions', ADMIN);
      for (const name of ALL.filter((name) => !may.includes(name))) {
        const answer = await as(user)(...(calls[name]?.(numero) ?? assert.fail()));
        assert.equal(answer.status, 403, name);
        assert.match(sentenceOf(answer), /^No tienes permiso para /, name);
      }
      assert.deepEqual((await call(gateway, '/api/session/sessions', ADMIN)).body, before.body);
      for (const name of may) {
        const { status } = await as(user)(...(calls[name]?.(numero) ?? assert.fail()));
        assert.notEqual(status, 403, name);
      }
    });
  }

  test('gets the same answer for a session of others as for one that does not exist', async (t) => {
    const { as } = await start(t);
    for (const name of ALL) {
      const answerFor = (numero: string) => as(SHOPKEEPER)(...(calls[name]?.(numero) ?? assert.fail()));
      const [one, other] = [await answerFor(STORE), await answerFor(UNKNOWN)];
      assert.equal(sentenceOf(one).replaceAll(STORE, UNKNOWN), sentenceOf(other), name);
    }
  });

  test('puts sessions into the own groups only', async (t) => {
    const { as } = await start(t);
    const describeAs = (body: unknown) =>
      as(SHOPKEEPER)(`/api/session/${SHOP}/details`, { method: 'PUT', body });
    for (const group of ['Almacén', '', null, 'tienda'])
      assert.equal((await describeAs({ group })).status, 403);
    assert.equal((await describeAs({ label: 'Caja', group: ' Tienda ' })).status, 200);
  });

  test('is answered with the details of a session only if it sees them', async (t) => {
    const { as, file, gateway } = await start(t);
    file.write([{ ...SHOPKEEPER, may: ['label'] }]);
    gateway.reload();
    const rename = { method: 'PUT', body: { label: 'Caja' } };
    assert.deepEqual((await as(SHOPKEEPER)(`/api/session/${SHOP}/details`, rename)).body, {});
  });

  test('adds a session only by an own numero', async (t) => {
    const { as } = await start(t);
    await as(OWNER)(`/api/session/${STORE}`, { method: 'DELETE' });
    assert.equal((await as(OWNER)(`/api/session/levanta/${STORE}`)).status, 200);
    assert.equal((await as(OWNER)(`/api/session/levanta/${UNKNOWN}`)).status, 403);
  });

  test('sees metrics of all sessions only, and simulated phones never', async (t) => {
    const { gateway, as } = await start(t, { metrics: true });
    const statusOf = async (user: TestUser, path: string) => {
      const { status, body } = await fetch(gateway.url + path, { headers: bearer(tokenOf(user.name)) });
      await body?.cancel();
      return status;
    };
    assert.equal(await statusOf(WATCH, '/metrics'), 200);
    for (const user of [SHOPKEEPER, OWNER, ROBOT]) assert.equal(await statusOf(user, '/metrics'), 403);
    for (const user of USERS) assert.equal((await as(user)('/simulator/phones')).status, 403);
    const socket = io(`${gateway.url}/simulator`, {
      auth: { token: tokenOf(WATCH.name) },
      reconnection: false,
    });
    t.after(() => socket.disconnect());
    const error = await new Promise<Error>((refused) => socket.once('connect_error', refused));
    assert.match(error.message, /^Solo para quien puede todo/);
  });
});

/** Returns what a user is sent, of all that happens. */
function sentTo(user: TestUser, all: readonly Heard[], isOwn: (numero: string) => boolean): Heard[] {
  const sees = user.may.includes('see');
  const hasCodes = user.may.includes('codes');
  return all.flatMap(([name, ...payload]): Heard[] => {
    const [first] = payload;
    const { numero: named, remitente } = Object(first);
    const numero = String(named ?? remitente ?? name.split(':')[2]);
    if (name.startsWith('server:') || !sees || !isOwn(numero)) return [];
    const push: Heard = [name, ...payload];
    if (name === 'message:ack') return user.may.includes('send') ? [push] : [];
    if (hasCodes) return [push];
    if (/^session:(code|passkey):/.test(name)) return [];
    if (name.startsWith('session:qr:')) return [['session:change_state', { numero, state: UNSEEN_CODE }]];
    const state = { numero, state: STATES.authenticating };
    return name.startsWith('session:authenticated:') ? [push, ['session:change_state', state]] : [push];
  });
}

describe('a panel', () => {
  test('is sent what its user may see of all that happens, and nothing else', async (t) => {
    const { gateway, clock, panel } = await start(t);
    const admin = await panel(TOKEN);
    const panels = await Promise.all(
      USERS.map(async (user) => [user, await panel(tokenOf(user.name))] as const),
    );
    for (const numero of [SHOP, STORE, LOOSE]) {
      const post = (what: string) =>
        call(gateway, `/api/session/${numero}/${what}`, { method: 'POST', ...ADMIN });
      const body = message(numero, [34611111111]);
      await call(gateway, '/api/message', { method: 'POST', body, ...ADMIN });
      clock.advance(5_000);
      await post('unlink');
      await call(gateway, `/api/session/levanta/${numero}`, ADMIN);
      clock.advance(1_000);
      await admin.heard(`session:qr:${numero}`);
      const { code } = Object((await post('pairing')).body);
      await post('link');
      if (numero !== STORE) gateway.phones.typeCode(numero, code);
      else {
        gateway.phones.phone(numero).usePasskey();
        clock.advance(5 * 60_000);
        gateway.phones.phone(numero).usePasskey();
        await post('passkey');
      }
      clock.advance(60_000);
      await admin.heard(`session:ready:${numero}`);
      await call(gateway, `/api/session/${numero}`, { method: 'DELETE', ...ADMIN });
    }
    await admin.heard('session:deleted', 2);
    const own: Record<string, (numero: string) => boolean> = {
      Vela: () => true,
      Ana: (numero) => numero === SHOP,
      Luis: (numero) => numero === STORE,
      Robot: () => true,
      Eva: (numero) => numero !== SHOP,
    };
    for (const [user, { all }] of panels) {
      const expected = sentTo(user, admin.all, own[user.name] ?? assert.fail());
      await until(() => all.length >= expected.length + 2, `all pushes to ${user.name}`);
      assert.deepEqual(all.slice(2), expected, user.name);
    }
    const codes = admin.all.flatMap(([name, code]) =>
      /^session:(qr|code|passkey):/.test(name) && code
        ? [typeof code === 'string' ? code : String(Object(code).code ?? Object(code).text)]
        : [],
    );
    assert.ok(codes.length >= 6, `${codes.length} codes`);
    for (const [{ name, may }, { all }] of panels) {
      const text = JSON.stringify(all);
      if (!may.includes('codes')) assert.ok(!codes.some((code) => text.includes(code)), `a code for ${name}`);
    }
  });

  test('is told what its user may do, before anything else', async (t) => {
    const { panel } = await start(t);
    const extensions: Heard = ['server:extensions', { extensions: [...EXTENSIONS] }];
    const told = async (token: string) => {
      const { all } = await panel(token);
      await until(() => all.at(-1)?.[0] === extensions[0], 'the extensions');
      return all;
    };
    assert.deepEqual(await told(TOKEN), [extensions]);
    const all = await told(tokenOf(WATCH.name));
    assert.deepEqual(all, [['server:permissions', { actions: [], name: 'Vela' }], extensions]);
    const [[, permissions] = []] = await told(tokenOf(SHOPKEEPER.name));
    assert.deepEqual(permissions, { actions: [...PERMISSIONS], name: 'Ana' });
  });

  test('loses a session that leaves the groups of its user, and gets one that enters them', async (t) => {
    const { panel, put } = await start(t);
    const [admin, ana, eva, watch] = [
      await panel(TOKEN),
      await panel(tokenOf(SHOPKEEPER.name)),
      await panel(tokenOf(LINKER.name)),
      await panel(tokenOf(WATCH.name)),
    ];
    await put(SHOP, { group: 'Almacén' });
    await put(SHOP, { label: 'Caja' });
    await put(SHOP, { group: null });
    const renamed: Heard = [`session:details:${SHOP}`, { group: 'Almacén' }];
    const labelled: Heard = [`session:details:${SHOP}`, { label: 'Caja' }];
    const freed: Heard = [`session:details:${SHOP}`, { group: null }];
    await until(
      () =>
        [admin, eva, watch].every(
          ({ all }) => all.at(-1)?.includes(freed[0]) && Object(all.at(-1)?.[1]).group === null,
        ),
      'the pushes',
    );
    await ana.heard('session:deleted');
    assert.deepEqual(ana.all.slice(2), [
      [`session:disconnected:${SHOP}`],
      ['session:deleted', { numero: SHOP, notice: 'Pasó a otro grupo: ya no la ves.' }],
    ]);
    const [created, ...rest] = eva.all.slice(2);
    assert.equal(created?.[0], 'session:created');
    assert.deepEqual([Object(created?.[1]).numero, Object(created?.[1]).group], [SHOP, 'Almacén']);
    assert.deepEqual(rest, [renamed, labelled, freed]);
    assert.deepEqual(watch.all.slice(2), [renamed, labelled, freed]);
    assert.deepEqual(admin.all.slice(1), [renamed, labelled, freed]);
  });
});

describe('a change of the access file', () => {
  test('ends the connection of a user who is gone or may do something else, and of no other', async (t) => {
    const { gateway, file, as } = await start(t);
    const panel = (user: TestUser) =>
      Listener.connect(t, gateway, '/', { auth: { token: tokenOf(user.name) }, reconnection: false });
    const [gone, changed, same] = [await panel(OWNER), await panel(SHOPKEEPER), await panel(WATCH)];
    file.write([WATCH, ROBOT, { ...SHOPKEEPER, may: ['see'] }]);
    await until(() => !gone.socket.connected && !changed.socket.connected, 'the ends of the connections');
    assert.ok(same.socket.connected);
    assert.equal((await as(OWNER)('/api/session/sessions')).status, 401);
    assert.equal((await as(SHOPKEEPER)(`/api/session/levanta/${SHOP}`)).status, 403);
    gateway.phones.phone(SHOP).logOut();
    await same.heard(`session:disconnected:${SHOP}`);
    assert.ok(![...gone.all, ...changed.all].some(([name]) => name === `session:disconnected:${SHOP}`));
  });

  test('with a fault changes nothing', async (t) => {
    const { gateway, file, as } = await start(t);
    file.writeText('{"users": [');
    gateway.reload();
    assert.equal((await as(WATCH)('/api/session/sessions')).status, 200);
    file.write([]);
    gateway.reload();
    assert.equal((await as(WATCH)('/api/session/sessions')).status, 401);
  });

  test('is possible without another token', async (t) => {
    const { as, gateway } = await start(t, { token: undefined });
    assert.equal((await call(gateway, '/api/session/sessions')).status, 401);
    assert.equal((await as(WATCH)('/api/session/sessions')).status, 200);
  });
});

describe('who did something', () => {
  test('is in the history, in the details, and in the push of a deletion', async (t) => {
    const { panel, as } = await start(t);
    const watch = await panel(tokenOf(WATCH.name));
    const ana = as(SHOPKEEPER);
    await ana(`/api/session/${SHOP}/unlink`, { method: 'POST' });
    const item = async () => listOf(await ana('/api/session/sessions'))[0];
    assert.equal((await item())?.by, 'Ana');
    assert.equal((await item())?.reason?.text, 'Ana la desvinculó desde un panel.');
    await ana(`/api/session/levanta/${SHOP}`);
    assert.equal((await item())?.by, 'Ana');
    await ana(`/api/session/${SHOP}/link`, { method: 'POST' });
    await ana(`/api/session/${SHOP}/link`, { method: 'DELETE' });
    const { body } = await ana(`/api/session/${SHOP}/history?limit=4`);
    const entries = (body as { event: string; by?: string }[]).map(({ event, by }) => [event, by]);
    assert.deepEqual(entries, [
      ['link_revoked', 'Ana'],
      ['link_created', 'Ana'],
      ['started', 'Ana'],
      ['disconnected', 'Ana'],
    ]);
    await ana(`/api/session/${SHOP}`, { method: 'DELETE' });
    assert.deepEqual(await watch.heard('session:deleted'), [{ numero: SHOP, notice: 'Eliminada por Ana' }]);
    const closing = watch.all.find(([, change]) => Object(change).by === 'Ana');
    assert.ok(closing, 'no details name Ana');
  });

  test('is no longer told of a state that somebody else caused', async (t) => {
    const { gateway, clock, as } = await start(t);
    const ana = as(SHOPKEEPER);
    await ana(`/api/session/levanta/${SHOP}`);
    clock.advance(60_000);
    const [item] = listOf(await ana('/api/session/sessions'));
    assert.equal(item?.state, STATES.connected);
    assert.equal(item.by, undefined);
    gateway.phones.phone(SHOP).logOut();
    assert.equal(listOf(await ana('/api/session/sessions'))[0]?.by, undefined);
  });

  test('is in the audit log, and so is what was refused', async (t) => {
    const audit = join(temporaryFolder(), 'audit.log');
    const { gateway, as } = await start(t, { audit });
    await as(SHOPKEEPER)(`/api/session/${SHOP}/unlink`, { method: 'POST' });
    await as(SHOPKEEPER)(`/api/session/${STORE}`, { method: 'DELETE' });
    await as(SHOPKEEPER)('/api/session/sessions');
    await as(WATCH)('/api/message', { method: 'POST', body: message(SHOP, [34611111111], 'un secreto') });
    for (let i = 0; i < 5; i += 1) await as({ name: 'Nadie', may: [] })('/api/session/sessions');
    const link = Object((await as(SHOPKEEPER)(`/api/session/${SHOP}/link`, { method: 'POST' })).body);
    const [, linkToken = ''] = String(link.url).split('#');
    await call(gateway, '/l/api/start', { method: 'POST', headers: bearer(linkToken) });
    await gateway.close();
    const text = readFileSync(audit, 'utf8');
    const lines = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const shown = lines.map(({ by, action, numero, status }) => [by, action, numero, status]);
    assert.deepEqual(shown, [
      ['gateway-1', 'label', SHOP, 200],
      ['gateway-1', 'label', STORE, 200],
      ['Ana', 'unlink', SHOP, 202],
      ['Ana', 'delete', STORE, 403],
      ['Vela', 'send', SHOP, 403],
      [null, 'see', undefined, 401],
      ['Ana', 'codes', SHOP, 200],
      ['quien abrió el enlace', 'start', SHOP, 204],
      [null, 'see', undefined, undefined],
    ]);
    assert.equal(lines.at(-1).more, 4);
    for (const { time } of lines) assert.ok(Math.abs(Date.parse(time) - Date.now()) < 60_000, time);
    for (const { address } of lines.slice(0, -1)) assert.equal(address, '127.0.0.1');
    assert.ok(!text.includes('un secreto') && !text.includes('token') && !text.includes(linkToken));
  });
});
