import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { EXTENSIONS, STATES, type WireHistoryEntry, type WireSentLink } from '../../src/wire.ts';
import { until } from '../../test/support/until.ts';
import { accountName } from '../src/engines/simulated/seeds.ts';
import type { Gateway } from '../src/gateway.ts';
import { tokenHash } from '../src/sessions/links.ts';
import { type Answer, call, itemOf, Listener, message, NUMERO, startGateway } from './support/gateway.ts';
import { ManualClock } from './support/manual-clock.ts';

const FRIEND = 34600000001;
const LINKED = { sessions: [{ numero: NUMERO, state: 'connected' }] } as const;
const OFF = { sessions: [{ numero: NUMERO, state: 'disconnected' }] } as const;

const raise = (gateway: Gateway) => call(gateway, `/api/session/levanta/${NUMERO}`);
const remove = (gateway: Gateway) => call(gateway, `/api/session/${NUMERO}`, { method: 'DELETE' });
const post = (gateway: Gateway, what: string, numero = NUMERO) =>
  call(gateway, `/api/session/${encodeURIComponent(numero)}/${what}`, { method: 'POST' });
const describeAs = (gateway: Gateway, body: unknown, numero = NUMERO) =>
  call(gateway, `/api/session/${encodeURIComponent(numero)}/details`, { method: 'PUT', body });
const historyOf = async (gateway: Gateway, query = '') =>
  (await call(gateway, `/api/session/${NUMERO}/history${query}`)).body as WireHistoryEntry[];
const says = ({ body }: Answer) => (body as { message?: string }).message;

/** Returns the payloads of the pushes with the session's details. */
function changes({ all }: Listener): Record<string, unknown>[] {
  return all.flatMap(([name, change]) => (name === `session:details:${NUMERO}` ? [Object(change)] : []));
}

test('extensions are announced before anything else, on each connect, to panels alone', async (t) => {
  const gateway = await startGateway(t, { ...LINKED, speed: 1_000 });
  const panel = await Listener.connect(t, gateway);
  const drawer = await Listener.connect(t, gateway, '/simulator');
  const announced = ['server:extensions', { extensions: [...EXTENSIONS] }];
  await raise(gateway);
  await panel.heard(`session:ready:${NUMERO}`);
  assert.deepEqual(panel.all[0], announced);
  panel.socket.disconnect();
  const before = panel.all.length;
  panel.socket.connect();
  await until(() => panel.socket.connected, 'the connection');
  await raise(gateway);
  await panel.heard(`session:ready:${NUMERO}`, 1);
  assert.deepEqual(panel.all[before], announced);
  assert.ok(!drawer.all.some(([name]) => name === 'server:extensions'));
});

describe('presence', () => {
  test('a new session is pushed as it is listed, before it changes; one that restarts is not', async (t) => {
    const clock = new ManualClock();
    const gateway = await startGateway(t, { clock });
    const panel = await Listener.connect(t, gateway);
    await raise(gateway);
    const [created] = await panel.heard('session:created');
    assert.deepEqual(created, await itemOf(gateway, NUMERO));
    clock.advance(1_000);
    await panel.heard(`session:qr:${NUMERO}`);
    // What is new was told already, except when the code ends.
    assert.deepEqual(
      panel.all.slice(1).map(([name]) => name),
      ['session:created', 'session:change_state', `session:details:${NUMERO}`, `session:qr:${NUMERO}`],
    );
    await raise(gateway);
    clock.advance(1_000);
    await panel.heard(`session:qr:${NUMERO}`, 1);
    assert.equal(panel.all.filter(([name]) => name === 'session:created').length, 1);
  });

  test('a deleted session is pushed once it is gone', async (t) => {
    const gateway = await startGateway(t, LINKED);
    const panel = await Listener.connect(t, gateway);
    await remove(gateway);
    assert.deepEqual(await panel.heard('session:deleted'), [{ numero: NUMERO }]);
    assert.deepEqual(panel.all.at(-2), [`session:disconnected:${NUMERO}`]);
  });
});

describe('details', () => {
  test('say the name of the account, since when, and why', async (t) => {
    const before = Date.now();
    const gateway = await startGateway(t, LINKED);
    const listed = (await itemOf(gateway, NUMERO)) ?? assert.fail('it is not listed');
    const { since = 0, lastSignal = 0, ...rest } = listed;
    assert.deepEqual(rest, {
      numero: NUMERO,
      state: STATES.connected,
      waiting: false,
      name: accountName(NUMERO),
    });
    assert.ok(since >= before && since <= Date.now(), `${since}`);
    assert.ok(lastSignal >= before && lastSignal <= Date.now(), `${lastSignal}`);
    gateway.phones.phone(NUMERO).logOut();
    const ended = await itemOf(gateway, NUMERO);
    const text = 'El dispositivo se quitó desde el teléfono.';
    assert.deepEqual(ended?.reason, { code: 'device-removed', text });
    assert.ok((ended.since ?? 0) >= since);
  });

  test('are pushed as they change, and null for what went', async (t) => {
    const clock = new ManualClock();
    const gateway = await startGateway(t, { ...LINKED, clock });
    const panel = await Listener.connect(t, gateway);
    await describeAs(gateway, { label: 'Ventas', group: 'Norte' });
    await describeAs(gateway, { group: null });
    // Nothing changes.
    await describeAs(gateway, { label: ' Ventas ' });
    gateway.phones.phone(NUMERO).logOut();
    await raise(gateway);
    clock.advance(1_000);
    await panel.heard(`session:qr:${NUMERO}`);
    // The times may be those before, where everything happens in one millisecond.
    const told = changes(panel).map(({ since: _, codeExpires: __, reason, ...change }) => ({
      ...change,
      ...(reason !== undefined && { reason: reason && Object(reason).code }),
    }));
    assert.deepEqual(told, [
      { label: 'Ventas', group: 'Norte' },
      { group: null },
      { reason: 'device-removed' },
      { reason: null },
      {},
    ]);
  });

  test('say when each code ends before it is shown, and on the list, until there is none', async (t) => {
    const clock = new ManualClock();
    const gateway = await startGateway(t, { clock });
    const panel = await Listener.connect(t, gateway);
    await raise(gateway);
    const ends: number[] = [];
    for (const [index, wait] of [1_000, 60_000].entries()) {
      clock.advance(wait);
      await panel.heard(`session:qr:${NUMERO}`, index);
      const [name, change] = panel.all.at(-2) ?? [];
      assert.equal(name, `session:details:${NUMERO}`);
      const { codeExpires } = Object(change);
      assert.equal((await itemOf(gateway, NUMERO))?.codeExpires, codeExpires);
      ends.push(codeExpires);
    }
    assert.deepEqual(ends, [clock.at(0), clock.at(20_000)]);
    gateway.phones.phone(NUMERO).scan(gateway.phones.get(NUMERO)?.code ?? '');
    await panel.heard(`session:authenticated:${NUMERO}`);
    assert.deepEqual(changes(panel).at(-1), { codeExpires: null });
    assert.ok(!('codeExpires' in ((await itemOf(gateway, NUMERO)) ?? {})));
  });
});

describe('names', () => {
  test('are of up to sixty characters, as one counts them, and lose the space around', async (t) => {
    const gateway = await startGateway(t, LINKED);
    for (const [label, kept] of [
      ['x'.repeat(60), 'x'.repeat(60)],
      ['😀'.repeat(60), '😀'.repeat(60)],
      [` ${'ñ'.repeat(60)} `, 'ñ'.repeat(60)],
      ['O\'Hara <b> & "Cía." \\ %00', 'O\'Hara <b> & "Cía." \\ %00'],
    ]) {
      const { status, body } = await describeAs(gateway, { label });
      assert.equal(status, 200, label);
      assert.deepEqual(body, { ...Object(body), label: kept });
      assert.equal((await itemOf(gateway, NUMERO))?.label, kept);
    }
  });

  test('are removed by null and by nothing, each by itself', async (t) => {
    const gateway = await startGateway(t, LINKED);
    for (const nothing of [null, '', '   ']) {
      await describeAs(gateway, { label: 'Ventas', group: 'Norte' });
      const { body } = await describeAs(gateway, { label: nothing });
      assert.ok(!('label' in Object(body)));
      assert.equal(Object(body).group, 'Norte');
      const listed = await itemOf(gateway, NUMERO);
      assert.equal(listed?.label, undefined);
      assert.equal(listed?.group, 'Norte');
    }
  });

  test('that cannot be are refused with a sentence, and change nothing', async (t) => {
    const gateway = await startGateway(t, LINKED);
    await describeAs(gateway, { label: 'Ventas', group: 'Norte' });
    const panel = await Listener.connect(t, gateway);
    const long = (what: string) => `${what} tiene más de 60 caracteres.`;
    const odd = (what: string) => `${what} tiene caracteres que no se pueden mostrar.`;
    const oddOnes = ['\0', '\n', '\t', '\u0085', '\u2028', '\u061c', '\u200e', '\u202e', '\u2066', '\u2069'];
    for (const [body, sentence] of [
      [{ label: 'x'.repeat(61) }, long('El nombre')],
      [{ label: '😀'.repeat(61) }, long('El nombre')],
      [{ group: 'x'.repeat(100_000) }, long('El grupo')],
      ...oddOnes.map((character) => [{ label: `a${character}b` }, odd('El nombre')] as const),
      [{ label: '\ud800' }, odd('El nombre')],
      [{ label: 'Soporte', group: `a${oddOnes[0]}` }, odd('El grupo')],
      [{}, 'Falta el nombre, el grupo o el proxy.'],
      [{ name: 'Ana' }, 'Falta el nombre, el grupo o el proxy.'],
      [{ label: 5 }, "El campo 'label' de la solicitud no es válido."],
      [{ label: ['Ventas'] }, "El campo 'label' de la solicitud no es válido."],
      [[], 'La solicitud no es válida.'],
      ['{"label', 'La solicitud no es válida.'],
    ] as const) {
      const answer = await describeAs(gateway, body);
      assert.equal(answer.status, 400, JSON.stringify(body).slice(0, 80));
      assert.equal(says(answer), sentence);
    }
    const listed = await itemOf(gateway, NUMERO);
    assert.deepEqual([listed?.label, listed?.group], ['Ventas', 'Norte']);
    assert.deepEqual(changes(panel), []);
  });

  test('belong to a session that is listed, in any form of its number', async (t) => {
    const gateway = await startGateway(t, LINKED);
    const unknown = await describeAs(gateway, { label: 'Ventas' }, '99');
    assert.equal(unknown.status, 404);
    assert.equal(says(unknown), 'No hay ninguna sesión de 99.');
    assert.equal((await describeAs(gateway, { label: 'Ventas' }, '+52 1 555 000 1111')).status, 200);
    assert.equal((await itemOf(gateway, NUMERO))?.label, 'Ventas');
  });

  test('can come by the thousand: one of the last stays', async (t) => {
    const gateway = await startGateway(t, LINKED);
    const labels = Array.from({ length: 1_999 }, (_, index) => `Ventas ${index}`);
    // As many at a time as a machine takes connections.
    for (let from = 0; from < labels.length; from += 100) {
      const some = labels.slice(from, from + 100);
      const answers = await Promise.all(some.map((label) => describeAs(gateway, { label })));
      assert.ok(answers.every(({ status }) => status === 200));
    }
    assert.ok(labels.slice(-100).includes((await itemOf(gateway, NUMERO))?.label ?? ''));
  });
});

describe('history', () => {
  test('has what happened, the newest first, in pages', async (t) => {
    const clock = new ManualClock();
    const gateway = await startGateway(t, { ...OFF, clock });
    await raise(gateway);
    clock.advance(1_000);
    gateway.phones.phone(NUMERO).scan(gateway.phones.get(NUMERO)?.code ?? '');
    clock.advance(1_500);
    gateway.phones.phone(NUMERO).loseLine();
    gateway.phones.phone(NUMERO).recoverLine();
    gateway.phones.phone(NUMERO).logOut('replaced');
    const all = await historyOf(gateway);
    assert.deepEqual(
      all.map(({ event, code }) => [event, code]),
      [
        ['disconnected', 'replaced'],
        ['change_state', undefined],
        ['change_state', 'connection-lost'],
        ['ready', undefined],
        ['authenticated', undefined],
        ['qr', undefined],
        ['started', undefined],
        ['disconnected', undefined],
        ['restored', undefined],
      ],
    );
    const [last] = all;
    assert.match(last?.state ?? '', /^ABIERTA EN OTRO SITIO/);
    assert.equal(last?.detail, 'Otra computadora usa esta sesión.');
    assert.ok(all.every(({ at }, index) => index === 0 || at < (all[index - 1]?.at ?? 0)));

    const pages: WireHistoryEntry[] = [];
    for (let before = ''; ; before = `&before=${pages.at(-1)?.at}`) {
      const page = await historyOf(gateway, `?limit=3${before}`);
      pages.push(...page);
      if (page.length < 3) break;
    }
    assert.deepEqual(pages, all);
  });

  test('of nobody, or by a bad query, is refused', async (t) => {
    const gateway = await startGateway(t, LINKED);
    assert.equal((await call(gateway, '/api/session/99/history')).status, 404);
    for (const query of [
      'limit=0',
      'limit=201',
      'limit=x',
      'limit=',
      'before=-1',
      'before=x',
      'before=1e300',
    ]) {
      const answer = await call(gateway, `/api/session/${NUMERO}/history?${query}`);
      assert.equal(answer.status, 400, query);
      assert.match(says(answer) ?? '', /^El campo '(?:limit|before)' de la solicitud no es válido\.$/);
    }
    assert.deepEqual(await historyOf(gateway, '?before=0'), []);
  });
});

describe('unlinking', () => {
  test('ends the session, which stays and says so', async (t) => {
    const gateway = await startGateway(t, LINKED);
    const panel = await Listener.connect(t, gateway);
    await describeAs(gateway, { label: 'Ventas' });
    const { status, body } = await post(gateway, 'unlink');
    assert.deepEqual([status, body], [202, '']);
    await panel.heard(`session:disconnected:${NUMERO}`);
    const listed = await itemOf(gateway, NUMERO);
    assert.equal(listed?.state, STATES.disconnected);
    assert.equal(listed?.label, 'Ventas');
    assert.deepEqual(listed?.reason, { code: 'unlinked', text: 'Se desvinculó desde un panel.' });
    const [last] = await historyOf(gateway);
    assert.deepEqual([last?.event, last?.code], ['disconnected', 'unlinked']);
    assert.equal(gateway.phones.get(NUMERO)?.linked, false);
  });

  test('needs no body, whatever type is named for it', async (t) => {
    const gateway = await startGateway(t, LINKED);
    const path = `/api/session/${NUMERO}/unlink`;
    assert.equal((await call(gateway, path, { method: 'POST', body: '' })).status, 202);
  });

  test('is refused for a session without a phone, and for none', async (t) => {
    const gateway = await startGateway(t, OFF);
    const refused = await post(gateway, 'unlink');
    assert.equal(refused.status, 409);
    assert.equal(says(refused), `La sesión de ${NUMERO} no está vinculada a ningún teléfono.`);
    assert.equal((await post(gateway, 'unlink', '99')).status, 404);
  });
});

describe('links', () => {
  /** Creates a link, and returns its id and its token. */
  async function sendLink(gateway: Gateway) {
    const path = `/api/session/${NUMERO}/link`;
    const { status, body } = await call(gateway, path, { method: 'POST' });
    assert.equal(status, 200);
    const { id, url, expires } = body as WireSentLink;
    assert.ok(Math.abs(expires - Date.now() - 600_000) < 60_000, `${expires}`);
    const { href, hash } = new URL(url, gateway.url + path);
    assert.equal(href, `${gateway.url}/l/${hash}`);
    assert.match(hash, /^#[\w-]{22}$/);
    return { id, token: hash.slice(1) };
  }
  const createLink = async (gateway: Gateway) => (await sendLink(gateway)).token;
  /** The status of what the link's page may ask for: 409 says that it needs no code now. */
  const statusOf = async (gateway: Gateway, token: string) => {
    const headers = { Authorization: `Bearer ${token}` };
    return (await call(gateway, '/l/api/start', { method: 'POST', headers })).status;
  };
  /** Whether the token opens nothing: a page that was open is told that its link is over, and a stranger nothing. */
  const isOver = async (gateway: Gateway, token: string) =>
    [401, 410].includes(await statusOf(gateway, token));
  const WAITING = { sessions: [{ numero: NUMERO, state: 'qr' }] } as const;

  test('are pushed to all panels, and one of a session is valid at a time', async (t) => {
    const gateway = await startGateway(t, WAITING);
    const panel = await Listener.connect(t, gateway);
    const first = await sendLink(gateway);
    assert.equal(await statusOf(gateway, first.token), 409);
    const { id, expires } = (await itemOf(gateway, NUMERO))?.link ?? assert.fail('no link is listed');
    assert.equal(id, first.id);
    await panel.heard(`session:details:${NUMERO}`);
    assert.deepEqual(changes(panel), [{ link: { id, expires } }]);
    const second = await sendLink(gateway);
    assert.ok(await isOver(gateway, first.token));
    assert.equal(await statusOf(gateway, second.token), 409);
    assert.equal((await itemOf(gateway, NUMERO))?.link?.id, second.id);
    assert.notEqual(first.id, second.id);
  });

  test('are not opened by their id, which every panel is told', async (t) => {
    const gateway = await startGateway(t, WAITING);
    const { id, token } = await sendLink(gateway);
    assert.equal(await statusOf(gateway, id), 401);
    assert.ok(!token.includes(id) && !tokenHash(token).includes(id));
  });

  test('are over when they are revoked, which can be repeated', async (t) => {
    const gateway = await startGateway(t, WAITING);
    const panel = await Listener.connect(t, gateway);
    const token = await createLink(gateway);
    for (let times = 0; times < 2; times++) {
      const { status } = await call(gateway, `/api/session/${NUMERO}/link`, { method: 'DELETE' });
      assert.equal(status, 204);
    }
    assert.ok(await isOver(gateway, token));
    await panel.heard(`session:details:${NUMERO}`, 1);
    assert.deepEqual(changes(panel).at(-1), { link: null });
    assert.equal((await itemOf(gateway, NUMERO))?.link, undefined);
    assert.deepEqual(
      (await historyOf(gateway, '?limit=2')).map(({ event }) => event),
      ['link_revoked', 'link_created'],
    );
  });

  test('are refused for a session that is connected', async (t) => {
    const gateway = await startGateway(t, LINKED);
    const refused = await post(gateway, 'link');
    assert.equal(refused.status, 409);
    assert.equal(says(refused), `La sesión de ${NUMERO} ya está conectada: no hace falta ningún enlace.`);
    assert.equal((await itemOf(gateway, NUMERO))?.link, undefined);
    assert.equal((await call(gateway, `/api/session/${NUMERO}/link`, { method: 'DELETE' })).status, 204);
  });

  test('are of sessions that are listed', async (t) => {
    const gateway = await startGateway(t);
    assert.equal((await post(gateway, 'link')).status, 404);
    assert.equal((await call(gateway, `/api/session/${NUMERO}/link`, { method: 'DELETE' })).status, 404);
  });
});

describe('acks', () => {
  const send = (gateway: Gateway, contacts: number[], from = NUMERO) =>
    call(gateway, '/api/message', { method: 'POST', body: message(from, contacts) });

  test('say of each message and recipient what became of it, under the numero that is listed', async (t) => {
    const gateway = await startGateway(t, LINKED);
    const panel = await Listener.connect(t, gateway);
    const [first, second] = [
      await send(gateway, [FRIEND, 34600000002], '+52 1 555 000 1111'),
      await send(gateway, [FRIEND]),
    ].map(({ body }) => Object(body).id);
    assert.match(first, /^[\da-f-]{36}$/);
    assert.notEqual(first, second);
    gateway.phones.phone(String(FRIEND)).read();
    await panel.heard('message:ack', 7);
    const acks = panel.all.flatMap(([name, ack]) => (name === 'message:ack' ? [Object(ack)] : []));
    assert.ok(acks.every(({ remitente }) => remitente === NUMERO));
    const of = (id: string, contact: number) =>
      acks.filter((ack) => ack.id === id && ack.contacto === contact).map(({ status }) => status);
    assert.deepEqual(of(first, FRIEND), ['server', 'device', 'read']);
    assert.deepEqual(of(first, 34600000002), ['server', 'device']);
    assert.deepEqual(of(second, FRIEND), ['server', 'device', 'read']);
  });

  test('are of no message that was refused', async (t) => {
    const gateway = await startGateway(t, LINKED);
    const panel = await Listener.connect(t, gateway);
    const { status, body } = await send(gateway, [1234567890123456]);
    assert.equal(status, 422);
    assert.ok(!('id' in Object(body)));
    await raise(gateway);
    await panel.heard('session:change_state');
    assert.ok(!panel.all.some(([name]) => name === 'message:ack'));
  });
});
