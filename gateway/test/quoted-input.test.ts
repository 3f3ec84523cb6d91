import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readCommand } from '../src/config.ts';
import { quotable } from '../src/terminal.ts';

/** Returns all that a command prints at once. */
function said(args: readonly string[]): string {
  try {
    const command = readCommand(args, {});
    return command.name === 'check' ? `${command.text}${command.problems.join('\n')}` : '';
  } catch (error) {
    return error instanceof Error ? error.message : assert.fail();
  }
}

describe('no message shows the password', () => {
  for (const url of [
    'https://wo:geheim@a.example',
    'http://wo:ge/heim@a.example/path',
    'wss://a.example/?apikey=geheim',
    'postgres://a.example/db?password=geheim&sslmode=require',
    'postgres:/wo:geheim@a.example',
    'wo:geheim@a.example',
    'host=a.example password=geheim',
    "host=a.example password='mein geheim'",
    'password = geheim',
    'https://wo:geheim',
    'postgres://wo:geheim/db',
    'wo:geheim',
    'wo geheim@a.example',
    'https://wo:geheim%40a.example',
    'https://wo:geheim＠a.example',
    'https://a.example/?pw=geheim',
    'https://a.example/?p%61ssword=geheim',
    'https://a.example/?x=1@geheim',
    'https://a.example/#geheim',
    'https://wo:8/geheim@a.example',
    'https://wo%3Ageheim',
    ' postgres://wo:geheim/db',
    '"postgres://wo:geheim/db"',
    'postgres//wo:geheim/db',
    '//wo:geheim/db',
    '/wo:geheim@a.example',
    '[wo:geheim]',
    'wo[x:geheim',
    'wo:1234567geheim',
    'wo geheim﹫a.example',
    'wo：geheim',
    'wo＝geheim',
    'wo:mein@geheim',
    'c:\\wo:geheim@a.example',
    'https://a.example:geheim,b.example',
    `https://wo:${'geheim'.repeat(100)}@a.example`,
  ]) {
    test(`of ${url}`, () => {
      const shown = ['server', 'public-url', 'other-server', 'allow-origin', 'advertise', 'database']
        .flatMap((name) => [
          [`--${name}`, url],
          [`--${name}=${url}`, '--check'],
          [`--${name}s`, url],
        ])
        .concat([
          ['--whatsapp-url', url, '--check'],
          ['--server', url, '--engine', 'waha'],
          ['--config', url],
          ['list', url],
          [url],
          ['list', 'x', url],
          [`--${url}`],
        ])
        .map(said);
      for (const text of shown) assert.doesNotMatch(text, /heim/);
      assert.ok(shown.some((text) => text.includes('***')));
    });
  }

  for (const text of [
    '8O80',
    '/srv/a file',
    'C:\\data',
    'C:/data',
    'localhost:99999',
    'localhost:808O',
    '0.0.0.0:x',
    'gateway:8080',
    '::1',
    'fd00::/8',
    '“8080”',
    '–port',
    '*',
    '{…}',
    '[::1]:80',
    'https://a.example/b',
    'https://a.example:8080',
    'http://[::1]:80/',
    'https://ñandú.example/b',
    'postgres://a.example:5432,b.example:5433/db',
    'postgres:///db',
  ]) {
    test(`but ${text}, which has none`, () => assert.equal(quotable(text), text));
  }

  for (const [text, shown] of [
    ['http://wo:geheim@a.example/waha', 'http://***@a.example/waha'],
    ['postgres://wo:geheim@a:5432,b:5433/db?x=1', 'postgres://***@a:5432,b:5433/db?***'],
    ['https://a.example/b:c', 'https://a.example/***'],
    ['https://wo:geheim', 'https://***'],
    ['wo:geheim', '***'],
  ] as const) {
    test(`and of ${text} only ${shown} is quoted`, () => assert.equal(quotable(text), shown));
  }

  for (const part of ['pass', 'x', '=', '@', ':', '://', 'x:', 'x://a,', '[', '::']) {
    test(`and ${part} over and over is quoted without backtracking`, () => {
      const text = part.repeat(900_000 / part.length);
      assert.ok(quotable(text).length <= 204);
    });
  }

  test('but what else it says', () => {
    assert.equal(
      said(['--public-url', 'http://wo:geheim@a.example/waha']),
      "--public-url takes an http(s) URL without query or fragment, not 'http://***@a.example/waha'.",
    );
  });
});
