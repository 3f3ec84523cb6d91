import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { STATES } from '../../../src/wire.ts';
import { stablePort } from '../../../test/support/stable-port.ts';
import { until } from '../../../test/support/until.ts';
import { HeardCalls } from '../../src/cluster/heard-calls.ts';
import type { Gateway } from '../../src/gateway.ts';
import { createLogger } from '../../src/log.ts';
import { type Answer, call, itemOf, message, NUMERO, startGateway } from '../support/gateway.ts';
import { callAs, Eavesdropper, type HeardAnswer, type HeardCall } from './support/eavesdropper.ts';
import { clusterOn } from './support/lease.ts';
import { freshDatabase } from './support/postgres.ts';
import { connectTables } from './support/tables.ts';

const RECEIVER = '34600000001';
/** An address of this machine that no gateway has. */
const STRANGERS = '127.0.0.2';
const TEXT = 'Algo muy confidencial';

type AnyGateway = Pick<Gateway, 'url'>;

const levanta = (gateway: AnyGateway) => call(gateway, `/api/session/levanta/${NUMERO}`);
const remove = (gateway: AnyGateway) => call(gateway, `/api/session/${NUMERO}`, { method: 'DELETE' });
const send = (gateway: AnyGateway) =>
  call(gateway, '/api/message', { method: 'POST', body: message(NUMERO, [Number(RECEIVER)], TEXT) });

/** Starts the session of {@link NUMERO} at a gateway, and links its phone. */
async function link(gateway: Gateway): Promise<void> {
  assert.equal((await levanta(gateway)).status, 200);
  // Not from the list, where a code may come after its end.
  gateway.phones.phone(NUMERO).scan(await until(() => gateway.phones.get(NUMERO)?.code, 'a code'));
  await until(async () => (await itemOf(gateway, NUMERO))?.state === STATES.connected, 'the session');
}

/** Returns what nobody on the way may read. */
async function secretsOf(t: TestContext, database: string): Promise<string[]> {
  const { sql } = await connectTables(t, database);
  const [row] = await sql<{ secret: string }>`SELECT secret FROM cluster`;
  const texts = [row?.secret ?? assert.fail('there is no secret'), TEXT, NUMERO, RECEIVER, 'levanta'];
  return texts.flatMap((text) => [text, Buffer.from(text).toString('base64').slice(0, -4)]);
}

function assertUnreadable({ heard }: Eavesdropper, secrets: readonly string[]): void {
  assert.notEqual(heard, '');
  for (const secret of secrets) assert.ok(!heard.includes(secret), `${secret} in ${heard}`);
}

function isRefused({ status, headers }: Answer): void {
  assert.equal(status, 503);
  assert.match(headers.get('retry-after') ?? '', /^\d+$/);
}

describe('what gateways say to each other', { concurrency: false }, () => {
  test('tells nothing to whoever takes the port of a dead one, whose answers nobody believes', async (t) => {
    const database = await freshDatabase();
    const cluster = clusterOn(database);
    const port = await stablePort();
    const owner = await startGateway(t, { port, sessions: 0, cluster });
    assert.equal((await levanta(owner)).status, 200);
    const other = await startGateway(t, { sessions: 0, cluster });

    // As if it had been killed: its lease is not over yet.
    owner.app.server.close();
    owner.app.server.closeAllConnections();
    const lies: ((call: HeardCall) => HeardAnswer)[] = [
      ({ body }) => ({ status: 200, body }),
      () => ({ status: 200, body: Buffer.from(JSON.stringify({ numero: NUMERO })) }),
      () => ({
        status: 200,
        body: Buffer.from(JSON.stringify({ id: 'a', answer: { status: 200, body: '' } })),
      }),
      () => ({ status: 404, body: Buffer.from(JSON.stringify({ message: 'Una mentira' })) }),
    ];
    let lie = 0;
    const impostor = await Eavesdropper.listen(
      t,
      (heard) => lies[lie++ % lies.length]?.(heard) ?? assert.fail(),
      port,
    );
    for (const _ of lies) {
      isRefused(await levanta(other));
      isRefused(await remove(other));
      // It may have arrived before whoever answers took the port.
      const sent = await send(other);
      assert.equal(sent.status, 504);
      assert.match(JSON.stringify(sent.body), /puede que el mensaje no llegue/);
    }
    assert.equal(impostor.calls.length, 3 * lies.length);
    assertUnreadable(impostor, await secretsOf(t, database));
  });

  /** Starts the gateway that owns the session, somebody on the way to it, and another gateway. */
  async function overheard(
    t: TestContext,
    answer: (pass: () => Promise<HeardAnswer>, heard: readonly HeardAnswer[]) => Promise<HeardAnswer>,
  ) {
    const database = await freshDatabase();
    const port = await stablePort();
    const url = `http://127.0.0.1:${port}`;
    const eavesdropper = await Eavesdropper.listen(t, (heard, answers) =>
      answer(() => callAs(url, heard), answers),
    );
    const cluster = clusterOn(database, { advertise: eavesdropper.url });
    const lines: { msg: string; address?: string }[] = [];
    const logger = createLogger('info', { write: (line) => lines.push(JSON.parse(line)) });
    const owner = await startGateway(t, { port, sessions: 0, speed: 20, cluster, logger });
    await link(owner);
    const other = await startGateway(t, { sessions: 0, cluster: clusterOn(database) });
    const received = () => owner.phones.get(RECEIVER)?.messages.length ?? 0;
    return { database, eavesdropper, owner, other, received, lines };
  }

  test('can be neither read, nor repeated, nor changed on the way', async (t) => {
    let isHolding = false;
    const { database, eavesdropper, owner, other, received } = await overheard(t, async (pass) =>
      isHolding ? { status: 502, body: Buffer.from('') } : pass(),
    );
    assert.equal((await send(other)).status, 200);
    assert.equal(received(), 1);
    for (const heard of [...eavesdropper.calls]) assert.ok((await callAs(owner.url, heard)).status < 500);
    assert.equal(received(), 1, 'repeated');

    isHolding = true;
    assert.equal((await send(other)).status, 504);
    const held = eavesdropper.calls.at(-1) ?? assert.fail('nothing was held back');
    const sealed = Object.entries(held.headers).find(([name]) => name.startsWith('x-wo-'));
    assert.ok(sealed);
    const [name, head] = sealed;
    const changed: HeardCall[] = [
      { ...held, headers: { ...held.headers, [name]: flipped(String(head)) } },
      { ...held, headers: { ...held.headers, [name]: '' } },
      { ...held, path: `${held.path}/node` },
      // This one spends the head.
      { ...held, body: Buffer.from(flipped(held.body.toString())) },
      held,
    ];
    const statuses = [];
    for (const one of changed) statuses.push((await callAs(owner.url, one)).status);
    assert.deepEqual(statuses, [403, 403, 404, 403, 409]);
    assert.equal(received(), 1, 'changed');
    assert.equal((await call(owner, '/cluster/node')).status, 404);
    assertUnreadable(eavesdropper, await secretsOf(t, database));
  });

  test('is done once, even if somebody repeats it and keeps the answer', async (t) => {
    let isRepeating = false;
    const { other, received } = await overheard(t, async (pass) => {
      const answer = await pass();
      return isRepeating ? pass() : answer;
    });
    assert.equal((await send(other)).status, 200);
    isRepeating = true;
    assert.equal((await send(other)).status, 504);
    assert.equal(received(), 2);
  });

  test('is not even opened from where many wrong calls come, unless another gateway has called from there', async (t) => {
    const { eavesdropper, owner, other, lines } = await overheard(t, (pass) => pass());
    assert.equal((await send(other)).status, 200);
    const call = eavesdropper.calls.at(-1) ?? assert.fail('no call was heard');
    const wrong = { ...call, headers: { 'x-wo-call': 'guess' } };
    const before = lines.length;
    const statuses = new Map<number, number>();
    for (let i = 0; i < 1_000; i += 1) {
      const { status } = await callAs(owner.url, wrong, STRANGERS);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    assert.deepEqual(Object.fromEntries(statuses), { 403: 20, 429: 980 });
    assert.equal((await callAs(owner.url, call, STRANGERS)).status, 429);
    assert.deepEqual(
      lines.slice(before).map(({ msg, address }) => [msg, address]),
      [
        ['Refused a call that no gateway of this cluster has sealed.', STRANGERS],
        ['Request answered', STRANGERS],
      ],
    );

    for (let i = 0; i < 30; i += 1) await callAs(owner.url, wrong);
    assert.equal((await send(other)).status, 200);
  });

  test('cannot be answered with an answer to something else', async (t) => {
    let isLying = false;
    const { other } = await overheard(t, async (pass, heard) => {
      const answer = await pass();
      return isLying ? (heard.at(-1) ?? answer) : answer;
    });
    assert.equal((await levanta(other)).status, 200);
    isLying = true;
    isRefused(await levanta(other));
    assert.equal((await send(other)).status, 504);
    isLying = false;
    assert.equal((await remove(other)).status, 204);
  });

  test('is answered even if the gateway that has called ends meanwhile', async (t) => {
    let isHolding = false;
    const { database, other, received } = await overheard(t, async (pass) => {
      const answer = await pass();
      await until(() => !isHolding, 'the answer to be let through');
      return answer;
    });
    // The owner's clock is known then.
    assert.equal((await send(other)).status, 200);
    isHolding = true;
    const sent = send(other);
    await until(() => received() === 2, 'the message');
    const drained = other.drain();
    const { sql } = await connectTables(t, database);
    await until(async () => (await sql`SELECT FROM node`).length === 1, 'the gateway to leave');
    isHolding = false;
    assert.equal((await sent).status, 200);
    await drained;
  });
});

test('a forwarded call has the same id in the logs of both gateways and in the answer', async (t) => {
  const cluster = clusterOn(await freshDatabase());
  const start = async () => {
    const lines: { msg: string; reqId?: string; route?: string }[] = [];
    const logger = createLogger('debug', { write: (line) => lines.push(JSON.parse(line)) });
    return { gateway: await startGateway(t, { sessions: 0, cluster, logger }), lines };
  };
  const owner = await start();
  assert.equal((await levanta(owner.gateway)).status, 200);
  const other = await start();
  const { status, headers } = await call(other.gateway, `/api/session/levanta/${NUMERO}`, {
    headers: { 'x-request-id': 'chosen-by-the-client' },
  });
  assert.equal(status, 200);
  const id = headers.get('x-request-id');
  assert.notEqual(id, 'chosen-by-the-client');
  const linesOf = ({ lines }: typeof owner) =>
    lines.filter(({ reqId }) => reqId === id).map(({ msg, route }) => [msg, route]);
  const answered = ['Request answered', '/api/session/levanta/:numero'];
  assert.deepEqual(linesOf(other), [['Call forwarded', undefined], answered]);
  assert.deepEqual(linesOf(owner), [answered]);
});

test('a call is taken once, and only within half a minute', () => {
  const heard = new HeardCalls();
  assert.equal(heard.judge('held back', 0, 30_001), 'late');
  assert.equal(heard.judge('old', 1, 30_001), 'new');
  assert.equal(heard.judge('early', 60_000, 30_001), 'new');
  assert.equal(heard.judge('too early', 60_002, 30_001), 'late');
  // An answer says that it was not taken, and must stay true.
  assert.equal(heard.judge('too early', 60_002, 30_002), 'repeated');
  for (let now = 30_001; now <= 90_000; now += 1_000) {
    assert.equal(heard.judge(`one more, ${now}`, now, now), 'new');
    assert.equal(heard.judge('old', 1, now), 'repeated');
    assert.equal(heard.judge('early', 60_000, now), 'repeated');
    assert.equal(heard.judge('too early', 60_002, now), 'repeated');
  }
  assert.equal(heard.judge('too early', 60_002, 90_003), 'late');
  assert.equal(heard.judge('hours too early', 7_200_000, 90_004), 'late');
  assert.equal(heard.judge('hours too early', 7_200_000, 7_200_000), 'repeated');
});

const DEEP = '['.repeat(20_000) + ']'.repeat(20_000);

/** Sends a call whose path goes over the wire as it is. */
async function raw(
  { url }: AnyGateway,
  [method, path, body = '', headers = {}]: [string, string, string?, Record<string, string>?],
): Promise<[number, unknown]> {
  const json = body === '' ? {} : { 'content-type': 'application/json' };
  const answer = await callAs(url, {
    method,
    path,
    headers: { ...json, ...headers },
    body: Buffer.from(body),
  });
  const text = answer.body.toString();
  return [answer.status, text && JSON.parse(text)];
}

test('whatever a client sends, it is answered alike by the gateway that owns the session and by another', async (t) => {
  const database = await freshDatabase();
  const owner = await startGateway(t, { sessions: 0, speed: 20, cluster: clusterOn(database) });
  await link(owner);
  // Without room, it forwards starts of sessions that nobody owns, too.
  const other = await startGateway(t, { sessions: 0, cluster: clusterOn(database, { maxSessions: 0 }) });
  const session = `/api/session/${NUMERO}`;
  const start = `/api/session/levanta/${NUMERO}`;
  const odd: Parameters<typeof raw>[1][] = [
    ['GET', `${session}/history?limit=2&x=%E0%A4%A`],
    ['GET', `${session}/history?limit=2&limit=3`],
    ['GET', `${session}/history?limit=2&x=1&x=2&__proto__=3`],
    ['GET', `${session}/history?x=1#y&limit=2`],
    ['GET', `${session}/history`, '{"limit":1}'],
    ['POST', `${session}/pairing?x=%E0%A4%A`, '{"x":1}'],
    ['POST', `${session}/pairing`, 'null'],
    ['POST', `${session}/pairing`, '"'],
    ['POST', `${session}/pairing`, DEEP],
    ['PUT', `${session}/details`, `{"label":"x","y":${DEEP}}`],
    [
      'POST',
      '/api/message',
      JSON.stringify({ ...message(NUMERO, [1e20]), x: 0 }).replace('"x":0', `"x":${DEEP}`),
    ],
    ['POST', `/simulator/phones/${NUMERO}/scan`, `{"code":"x","y":${DEEP}}`],
    ['PUT', `${session}/details`, '[]'],
    ['PUT', `${session}/details`, '{"label":"Año \\ud800 \\u0000"}'],
    ['POST', '/api/message', JSON.stringify({ ...message(NUMERO, [1e20], TEXT), x: '\ud800' })],
    ['POST', `/simulator/phones/${NUMERO}/scan?x=%`, '{"code":"x"}'],
    ['DELETE', '/api/session/34600000099\\..\\..\\node', '{}'],
    ['GET', `${start}\\..\\..\\..\\node`],
    ['GET', `${start}%2f..%2f..%2f..%2f..%2fnode`],
    ['GET', `/api/session/levanta/..`],
    ['GET', `/api/session/levanta/%2e%2e?x=%E0%A4%A`],
    ['GET', `/api/session/levanta/..%5c..%5c..%5cnode`],
    ['GET', `${start}%00`],
    ['GET', `${start}${'\xa0'.repeat(80)}`],
    ['GET', `${start}?x=%E0%A4%A`],
    ['GET', start, '{"x":1}'],
  ];
  for (const one of odd) {
    const [answer, expected] = [await raw(other, one), await raw(owner, one)];
    assert.deepEqual(answer, expected, one.join(' '));
    assert.ok(answer[0] < 500, one.join(' '));
  }

  for (const gateway of [owner, other]) {
    await until(async () => (await itemOf(owner, NUMERO))?.state === STATES.connected, 'the session');
    assert.equal((await call(owner, `${session}/unlink`, { method: 'POST' })).status, 202);
    const link = Object((await call(owner, `${session}/link`, { method: 'POST' })).body);
    const headers = { Authorization: `Bearer ${String(link.url).split('#')[1]}` };
    assert.deepEqual(await raw(gateway, ['POST', '/l/api/start?x=%E0%A4%A', '{"x":1}', headers]), [204, '']);
    owner.phones.phone(NUMERO).scan(await until(() => owner.phones.get(NUMERO)?.code, 'a code'));
  }
});

/** Returns a sealed text with another one of its characters. */
function flipped(sealed: string): string {
  const at = Math.floor(sealed.length / 2);
  return sealed.slice(0, at) + (sealed[at] === 'A' ? 'B' : 'A') + sealed.slice(at + 1);
}
