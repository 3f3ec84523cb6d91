import assert from 'node:assert/strict';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { trustProblem } from '../../gateway/src/ledger/trust.ts';
import { numeroKey } from '../../gateway/src/numbers.ts';
import { RIGHTS } from '../../gateway/src/security/users.ts';
import { AccessFile, bearer, type TestUser, tokenOf } from '../../gateway/test/support/access.ts';
import { callLate } from '../../gateway/test/support/connection.ts';
import { call, Listener, message, startGateway } from '../../gateway/test/support/gateway.ts';
import { ManualClock } from '../../gateway/test/support/manual-clock.ts';
import type { Scope } from '../support/scope.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import type { Attack } from './attack.ts';
import type { Random } from './random.ts';

/** Inputs of a round. */
const SPELLINGS = 150;
const LATE = 25;
const FILES = 150;

const ADMIN = 'un-token-de-prueba';
const GROUP = 'Norte';
/** In the labels of sessions that the intruder has no right to. */
const SECRET = 'Secreta';
const INTRUDER: TestUser = { name: 'Intruso', may: RIGHTS, groups: [''] };
/** Numbers of countries with several forms of one number; # is any digit. */
const NUMBERS = [
  '55##9########',
  '55#99########',
  '521##########',
  '549##########',
  '3906#######',
  '34600######',
];
/** A user, and a group, of nobody else. */
const STRANGER = 54_321;

type Call = readonly [method: string, path: string, body?: object];
const CALLS: readonly ((numero: string) => Call)[] = [
  (numero) => ['GET', `session/levanta/${numero}`],
  (numero) => ['GET', `session/levanta/${numero}`],
  (numero) => ['GET', `session/${numero}/history`],
  (numero) => ['PUT', `session/${numero}/details`, { label: 'Robada' }],
  (numero) => ['POST', `session/${numero}/unlink`],
  (numero) => ['POST', `session/${numero}/link`],
  (numero) => ['DELETE', `session/${numero}`],
  (numero) => ['POST', 'message', message(decodeURIComponent(numero), [34_600_000_009])],
];

function anyNumero(random: Random): string {
  return random.pick(NUMBERS).replace(/#/g, () => String(random.integer(1, 9)));
}

/** Writes a numero as somebody might, or as nobody would. */
function spelled(numero: string, random: Random): string {
  let text = numero;
  for (let changes = random.integer(0, 4); changes > 0; changes -= 1) {
    const at = random.integer(2, 5);
    text = random.pick([
      () => text.slice(0, at) + random.pick(['0', '1', '9']) + text.slice(at),
      () => text.slice(0, at) + text.slice(at + 1),
      // As Brazilians dial at home, and before mobile numbers got a ninth digit.
      () => `${text.slice(0, 2)}0${text.slice(2, 4)}${text.slice(5)}`,
    ])();
  }
  const at = random.integer(0, text.length);
  const separator = random.pick(['', '', ' ', '-', ' (', '.', '\u00a0', '\u200b', '/', '９']);
  return random.pick(['', '', '+', '00', '+00 ']) + text.slice(0, at) + separator + text.slice(at);
}

/** A gateway with sessions of a group, and a user who has none of them. */
async function startBench(scope: Scope, random: Random) {
  const file = new AccessFile([INTRUDER]);
  const numeros = [
    ...new Map(
      Array.from({ length: 12 }, () => anyNumero(random)).map((one) => [numeroKey(one), one]),
    ).values(),
  ];
  const gateway = await startGateway(scope, {
    token: ADMIN,
    access: file.path,
    sessions: numeros.map((numero) => ({ numero, state: 'connected' })),
    clock: new ManualClock(),
    // Each call comes from another address, so that no limit is met.
    trustProxy: ['loopback'],
  });
  const ask = (token: string, [method, path, body]: Call) =>
    call(gateway, `/api/${path}`, {
      method,
      ...(body && { body }),
      headers: {
        ...bearer(token),
        'X-Forwarded-For': `198.51.${random.integer(0, 255)}.${random.integer(0, 255)}`,
      },
    });
  for (const numero of numeros) {
    await ask(ADMIN, ['PUT', `session/${numero}/details`, { label: `${SECRET} ${numero}`, group: GROUP }]);
  }
  /** Returns what must not change. */
  const owned = async () => {
    const { body } = await ask(ADMIN, ['GET', 'session/sessions']);
    assert.ok(Array.isArray(body));
    return body.filter(({ group }) => group === GROUP);
  };
  return { gateway, file, numeros, ask, owned };
}

type Bench = Awaited<ReturnType<typeof startBench>>;

async function trySpellings(
  scope: Scope,
  { gateway, numeros, ask, owned }: Bench,
  random: Random,
): Promise<void> {
  const auth = { token: tokenOf(INTRUDER.name) };
  const panel = await Listener.connect(scope, gateway, '/', { auth, transports: ['websocket'] });
  const before = await owned();
  for (let count = 0; count < SPELLINGS; count += 1) {
    const text = spelled(random.pick(numeros), random);
    const [method, path, sent] = random.pick(CALLS)(encodeURIComponent(text));
    const { status, body } = await ask(auth.token, [method, path, sent]);
    const said = `${method} ${path} (${text}) was answered ${status} ${JSON.stringify(body)}`;
    assert.ok(status < 500 && !said.includes(SECRET), said);
    assert.deepEqual(await owned(), before, said);
  }
  assert.ok(!JSON.stringify(panel.all).includes(SECRET), 'The intruder heard of a session');
}

/** What becomes of a user while the body of a call is on its way, and how the call is answered. */
const CHANGES: readonly [status: number, change: (user: TestUser) => TestUser[]][] = [
  [200, (user) => [user]],
  [401, () => []],
  [403, (user) => [{ ...user, may: ['see'] }]],
  [403, (user) => [{ ...user, groups: ['Sur'] }]],
];

async function tryLateBodies({ gateway, file, numeros, owned }: Bench, random: Random): Promise<void> {
  const change = (users: readonly TestUser[]) => {
    file.write([INTRUDER, ...users]);
    gateway.reload();
  };
  for (let count = 0; count < LATE; count += 1) {
    const user: TestUser = { name: `Ana-${count}`, may: RIGHTS, groups: [GROUP] };
    change([user]);
    const numero = random.pick(numeros);
    const label = `${SECRET} ${random.integer(0, 1e9)}`;
    const before = await owned();
    const finish = await callLate(gateway, `/api/session/${numero}/details`, {
      method: 'PUT',
      body: { label },
      headers: bearer(tokenOf(user.name)),
    });
    const [expected, changed] = random.pick(CHANGES);
    change(changed(user));
    assert.equal(await finish(), expected);
    const after =
      expected === 200 ? before.map((one) => (one.numero === numero ? { ...one, label } : one)) : before;
    assert.deepEqual(await owned(), after);
  }
}

/** Users and their groups, mostly root. */
const OWNERS = [
  ...Array.from({ length: 12 }, () => [0, 0] as const),
  [0, STRANGER],
  [STRANGER, STRANGER],
] as const;

/** Makes a file that is safe or not, behind folders and links, as root. Returns the path and what leads to it. */
function anyFile(parent: string, random: Random): { file: string; way: string[] } {
  const way: string[] = [];
  let folder = parent;
  const spoil = (path: string, modes: readonly number[]) => {
    const [uid, gid] = random.pick(OWNERS);
    chownSync(path, uid, gid);
    chmodSync(path, random.pick(modes));
    way.push(path);
  };
  for (let depth = random.integer(1, 3); depth > 0; depth -= 1) {
    const [inside, target] = [join(folder, 'inside'), join(folder, 'target')];
    const isLink = random.chance(0.4);
    mkdirSync(isLink ? target : inside);
    if (isLink) symlinkSync('target', inside);
    if (isLink) way.push(inside);
    spoil(isLink ? target : inside, [0o755, 0o755, 0o755, 0o711, 0o775, 0o757, 0o1777, 0o3770]);
    folder = inside;
  }
  const file = join(folder, 'file');
  writeFileSync(file, '');
  spoil(file, [0o644, 0o644, 0o600, 0o640, 0o664, 0o646]);
  return { file, way };
}

/** Has the stranger do everything to have the file say something else. */
function meddle({ file, way }: { file: string; way: string[] }): void {
  const attempt = (task: () => void) => {
    try {
      task();
    } catch {
      // It is not allowed.
    }
  };
  process.setegid?.(STRANGER);
  process.seteuid?.(STRANGER);
  for (const path of way) {
    attempt(() => chmodSync(path, 0o777));
    attempt(() => {
      renameSync(path, `${path}.old`);
      if (path !== file) mkdirSync(path);
    });
  }
  attempt(() => writeFileSync(file, 'mine'));
  process.seteuid?.(0);
  process.setegid?.(0);
}

function tryFiles(random: Random): number {
  // Only root can give files away.
  if (process.geteuid?.() !== 0) return 0;
  for (let count = 0; count < FILES; count += 1) {
    const parent = temporaryFolder();
    chmodSync(parent, 0o755);
    const made = anyFile(parent, random);
    const problem = trustProblem(made.file, 'the file', false);
    meddle(made);
    const isChanged = !existsSync(made.file) || readFileSync(made.file).includes('mine');
    assert.ok(
      !isChanged || problem !== undefined,
      `A stranger changed a file that was trusted: ${made.file}`,
    );
  }
  return FILES;
}

export const users: Attack = {
  name: 'users',
  promise: 'no spelling of a numero, late body or file of others gets a user what is not theirs',
  async round(scope, random) {
    const bench = await startBench(scope, random);
    await trySpellings(scope, bench, random);
    await tryLateBodies(bench, random);
    return { spellings: SPELLINGS, 'late bodies': LATE, files: tryFiles(random) };
  },
};
