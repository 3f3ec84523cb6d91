import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { STATES } from '../../src/wire.ts';
import { accessHash, parseAccess } from '../src/security/access-file.ts';
import { hasSession, mayUse, RIGHTS, VISITOR } from '../src/security/users.ts';
import { printable } from '../src/terminal.ts';

const HASH = accessHash('un-token');
const ANA = { name: 'Ana', token: HASH, may: ['see', 'start'] };
const ALL = RIGHTS.join(', ');

function parse(file: unknown) {
  const problems: string[] = [];
  const users = parseAccess(typeof file === 'string' ? file : JSON.stringify(file), problems);
  return { users, problems };
}

describe('an access file', () => {
  test('gives users names, rights and sessions', () => {
    const { users, problems } = parse({
      users: [{ ...ANA, groups: ['  Tienda   Norte '], numeros: ['+52 55 5000 1111'] }],
    });
    assert.deepEqual(problems, []);
    const user = users.get(HASH) ?? assert.fail('no user');
    assert.equal(user.name, 'Ana');
    assert.deepEqual([...user.rights], ['see', 'start']);
    assert.ok(hasSession(user, '34600000001', 'Tienda Norte'), 'a session of the group');
    assert.ok(hasSession(user, '5215550001111'), 'the numero, in another form');
    assert.ok(!hasSession(user, '34600000001', 'Tienda'), 'another group');
    assert.ok(!hasSession(user, '34600000001'), 'no group');
  });

  test('gives users the names of people, also with accents and emoji', () => {
    for (const name of ['Noemí 🦊', 'Jose\u0301 O’Neil', 'Guardia de noche (2)', 'Ελένη', '김민수']) {
      assert.deepEqual(parse({ users: [{ ...ANA, name }] }).problems, [], name);
    }
  });

  for (const [groups, hasTienda, hasNone] of [
    [undefined, true, true],
    [[], false, false],
    // Sessions without a group are those of an empty text.
    [[''], false, true],
  ] as const) {
    test(`gives sessions by groups: ${JSON.stringify(groups)}`, () => {
      const user = parse({ users: [{ ...ANA, groups }] }).users.get(HASH) ?? assert.fail('no user');
      assert.equal(hasSession(user, '34600000001', 'Tienda'), hasTienda);
      assert.equal(hasSession(user, '34600000001'), hasNone);
    });
  }

  test('lets users of a group act on a session that is deleted, but not add it again', () => {
    const mayUseAs = (groups: readonly string[], right: 'see' | 'start') => {
      const user = parse({ users: [{ ...ANA, groups }] }).users.get(HASH) ?? assert.fail('no user');
      const closing = { numero: '34600000001', group: 'Tienda', state: STATES.closing, waiting: true };
      return mayUse(user, right, '+34 600 000 001', () => closing);
    };
    assert.ok(mayUseAs(['Tienda'], 'see'));
    assert.ok(!mayUseAs(['Tienda'], 'start'));
    assert.ok(!mayUseAs([''], 'start'));
    assert.ok(mayUseAs(['Tienda', ''], 'start'));
  });

  for (const [file, ...sentences] of [
    ['{"users": [', 'It is not valid JSON: check commas, quotes and brackets.'],
    ['[]', 'It must hold an object with "users" alone: {"users": [ … ]}.'],
    [{ users: [], more: 1 }, 'It must hold an object with "users" alone: {"users": [ … ]}.'],
    [`{"users": [],\n"users": [${JSON.stringify(ANA)}]}`, "Line 2 repeats the property 'users'."],
    [
      `{"users": [${JSON.stringify(ANA).slice(0, -1)}, "groups": ["{\\"may\\":"],\n\n"m\\u0061y" :["delete"]}]}`,
      "Line 3 repeats the property 'may'.",
    ],
    [
      { users: ['Ana'] },
      'User 1 must be an object, such as the command token prints.',
      'User 1 needs the hash of a token as "token": the command token makes one.',
    ],
    [{ users: [{ ...ANA, name: ' ' }] }, `User 1 (' ') needs a "name".`],
    [{ users: [{ ...ANA, name: { toString: 1 } }] }, `User 1 needs a "name".`],
    [
      { users: [{ ...ANA, name: 'Ana\u202e' }] },
      String.raw`User 1 ('Ana\u202e') needs a "name" of up to 60 characters that can be shown.`,
    ],
    ...['\u00ad', '\u034f', '\u17b4', '\u200d', '\u3164', '\ufe0f', '\ufff9', '\u{e0041}'].map(
      (unseen) =>
        [
          { users: [{ ...ANA, name: `Ana${unseen}` }] },
          `User 1 ('${printable(`Ana${unseen}`)}') needs a "name" of up to 60 characters that can be shown.`,
        ] as const,
    ),
    ...[VISITOR.name, ' Quien abrió  el ENLACE', 'Quién abrio el enlace.', 'quien\u2800abrió el enlace'].map(
      (name) =>
        [
          { users: [{ ...ANA, name }] },
          `User 1 ('${printable(name)}') needs another "name": that is what histories call whoever opens a link.`,
        ] as const,
    ),
    [
      { users: [{ ...ANA, token: 'un-token' }] },
      `User 1 ('Ana') needs the hash of a token as "token": the command token makes one.`,
    ],
    [{ users: [{ ...ANA, may: undefined }] }, `User 1 ('Ana') needs "may", a list of ${ALL}.`],
    [{ users: [{ ...ANA, may: 'see' }] }, `User 1 ('Ana') needs a list of texts as "may".`],
    [{ users: [{ ...ANA, may: ['look'] }] }, `User 1 ('Ana') may 'look', which is none of ${ALL}.`],
    [{ users: [{ ...ANA, groups: [1] }] }, `User 1 ('Ana') needs a list of texts as "groups".`],
    [{ users: [{ ...ANA, group: 'Tienda' }] }, `User 1 ('Ana') has the unknown property 'group'.`],
    [
      { users: [ANA, ANA] },
      `User 2 ('Ana') has the token of another one.`,
      `User 2 ('Ana') has the name of another one.`,
    ],
  ] as const) {
    test(`is refused: ${JSON.stringify(file)}`, () => {
      const { problems } = parse(file);
      assert.deepEqual(problems, sentences);
      assert.ok(!problems.join().includes(HASH), 'quotes a hash');
    });
  }
});
