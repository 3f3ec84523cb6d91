import assert from 'node:assert/strict';
import { call, listOf, message } from '../../gateway/test/support/gateway.ts';
import { STATES } from '../../src/wire.ts';
import type { Attack } from './attack.ts';
import { CONTACT, NUMERO, Pair, TEXT } from './cluster/pair.ts';
import type { Random } from './random.ts';

/** How many wrongs a round does. */
const WRONGS = 60;

const NUMEROS = [
  ...[
    NUMERO,
    NUMERO,
    `+${NUMERO}`,
    `${NUMERO}%20`,
    '34600000099',
    '1',
    '',
    '.',
    '..',
    '%2e%2e',
    '%252e%252e',
  ],
  ...['..\\..\\node', '..%2f..%2f..%2fnode', '..%5c..%5cnode', '%00', '%E0%A4%A', '%', '%ff', 'a;b', 'a%3Fb'],
  ...[
    '%F0%9F%92%A5',
    '\xa0',
    '\xff\xfe',
    '__proto__',
    'x'.repeat(101),
    '\\'.repeat(60),
    ':numero',
    '$&',
    '*',
  ],
];
const QUERIES = [
  ...['', '?', '?limit=2', '?limit=2&limit=3', '?limit=0', '?limit=2&x=%E0%A4%A', '?x=%', '?%', '?=', '?&&'],
  ...[
    '?limit=%32',
    '?x=1#y&limit=2',
    '?__proto__=1',
    '?x[y]=1',
    '?limit=2;x',
    '?x=\xa0',
    '??',
    '?before=1e3',
  ],
];
const BODIES = [
  ...[
    '',
    '',
    '{}',
    'null',
    '0',
    '"',
    '[]',
    '{"label":"Ventas"}',
    '{"label":"\\ud800","group":null}',
    '{"code":"x"}',
  ],
  ...[
    '{"__proto__":1}',
    '{"label":"\\u0000"}',
    '{"label":1e400}',
    `[${'['.repeat(2_000)}`,
    '\xff',
    '{"a":1}{',
  ],
  JSON.stringify(message(NUMERO, [])),
  JSON.stringify(message('..', [1e20])),
  JSON.stringify(message('\ud800', [1], 'x'.repeat(70_000))),
];
/** What put a code of anybody's into every list. */
const FORGED = JSON.stringify({
  type: 'changes',
  changes: [
    {
      session: { numero: NUMERO, state: 'AUTENTICANDO...', qrCode: TEXT, waiting: false },
      place: 1,
      version: 9e15,
      pushes: [{ event: 'qr', numero: NUMERO, code: TEXT }],
    },
  ],
});
/** What changes nothing, or what the next repeats, so that two gateways can be asked one after the other. */
const ROUTES: readonly ((numero: string) => [method: string, path: string])[] = [
  (numero) => ['GET', `/api/session/${numero}/history`],
  (numero) => ['PUT', `/api/session/${numero}/details`],
  (numero) => ['POST', `/api/session/${numero}/pairing`],
  (numero) => ['POST', `/api/session/${numero}/link`],
  (numero) => ['POST', `/simulator/phones/${numero}/scan`],
  (numero) => ['GET', `/api/session/levanta/x${numero}`],
  () => ['POST', '/api/message'],
];

/** The ways to wrong a cluster; each rejects if that succeeds. */
const KINDS: readonly ((pair: Pair, random: Random) => Promise<void>)[] = [
  /** Asks both gateways something odd. */
  async (pair, random) => {
    const [method, path] = random.pick(ROUTES)(random.pick(NUMEROS));
    await pair.alike(method, path + random.pick(QUERIES), random.pick(BODIES));
  },
  /** Repeats what a gateway has said. */
  async (pair, random) => {
    await pair.stranger(random.pick(pair.eavesdropper.calls));
  },
  /** Repeats it with changes, and with parts of something else. */
  async (pair, random) => {
    const [one, other] = [random.pick(pair.eavesdropper.calls), random.pick(pair.eavesdropper.calls)];
    const path = random.chance(0.8)
      ? one.path
      : `${one.path}${random.pick(['/', '/node', '/../api', '?x', '%2f'])}`;
    const headers = random.chance(0.5) ? other.headers : mangledHeaders(one.headers, random);
    await pair.stranger({ ...one, path, headers, body: mangled(other.body, random) });
  },
  /** Sends a message while somebody changes the call on the way. */
  async (pair, random) => {
    pair.onTheWay = (heard, pass) =>
      pass({ ...heard, headers: mangledHeaders(heard.headers, random), body: mangled(heard.body, random) });
    await pair.send();
  },
  /** Sends a message while somebody changes the answer, or answers instead. */
  async (pair, random) => {
    pair.onTheWay = async (heard, pass) => {
      const earlier = random.pick(pair.eavesdropper.answers);
      const answer = random.chance(0.7) ? await pass(heard) : earlier;
      return { status: random.pick([200, 200, 403, 500]), body: mangled(answer.body, random) };
    };
    await pair.send();
  },
  /** Sends a message while somebody passes the call on twice, and answers with either answer. */
  async (pair, random) => {
    pair.onTheWay = async (heard, pass) => {
      const answers = [await pass(heard), await pass(heard)];
      return random.pick(answers);
    };
    await pair.send();
  },
  /** Says something on the channel of the database: nonsense, a forged code, or what was heard, in any order. */
  async (pair, random) => {
    const heard = Buffer.from(random.pick(pair.role.heard));
    // A notification holds less than 8,000 bytes, without a NUL.
    const odd = mangled(heard, random).toString('latin1').replaceAll('\0', '').slice(0, 3_900);
    await pair.role.say(random.pick([odd, heard.toString(), FORGED, '', ' ', '{"type":"rows"}']));
  },
  /** Sends one that nobody touches. */
  async (pair) => {
    assert.equal(await pair.send(), 200);
  },
];

/** Changes, omits, or doubles a part; now and then nothing. */
function mangled(bytes: Buffer, random: Random): Buffer {
  const at = random.integer(0, bytes.length);
  const [before, after] = [bytes.subarray(0, at), bytes.subarray(at)];
  return random.pick([
    () => bytes,
    () => before,
    () => Buffer.concat([before, after, after]),
    () => Buffer.concat([before, random.bytes(1), after.subarray(1)]),
    () => Buffer.concat([before, random.bytes(random.integer(1, 50)), after]),
    () => random.bytes(random.integer(0, 200)),
  ])();
}

/** Changes the headers that are the gateways' own. */
function mangledHeaders<Headers extends object>(headers: Headers, random: Random): Headers {
  const changed = Object.entries(headers).map(([name, value]) => {
    if (!name.startsWith('x-wo-') || random.chance(0.3)) return [name, value];
    return [name, mangled(Buffer.from(String(value)), random).toString('base64')];
  });
  return { ...headers, ...Object.fromEntries(changed) };
}

export const cluster: Attack = {
  name: 'cluster',
  promise: 'gateways tell nobody on the way anything, believe nobody else, and answer alike',
  async round(scope, random) {
    const pair = await Pair.start(scope);
    assert.equal(await pair.send(), 200);
    for (let count = 0; count < WRONGS; count += 1) {
      pair.onTheWay = (heard, pass) => pass(heard);
      await random.pick(KINDS)(pair, random);
      pair.check();
    }

    pair.onTheWay = (heard, pass) => pass(heard);
    assert.equal(await pair.send(), 200);
    pair.check();
    assert.deepEqual(await listOf(pair.owner), [{ numero: NUMERO, state: STATES.connected, waiting: false }]);
    assert.deepEqual(await listOf(pair.other), await listOf(pair.owner));
    const overheard = [pair.eavesdropper.heard, ...pair.role.heard];
    for (const secret of [await pair.secret(), TEXT, NUMERO, CONTACT]) {
      for (const text of overheard) assert.ok(!text.includes(secret), `${secret} was overheard`);
    }
    assert.equal((await call(pair.other, '/readyz')).status, 200);
    return { wrongs: WRONGS, overheard: pair.eavesdropper.calls.length, messages: pair.received.length };
  },
};
