import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readCommand } from '../../src/config.ts';
import { SECRET } from './support/receiver.ts';

const URL = 'https://hooks.example/avisos?clave=1';
const WEBHOOK = ['--notify', URL, '--notify-secret', SECRET];

function notifyOf(...args: string[]) {
  const command = readCommand(args, {});
  return command.name === 'serve' ? command.options.notify : assert.fail(command.name);
}

describe('the options of notifications', () => {
  it('are parsed', () => {
    assert.deepEqual(
      notifyOf(
        ...WEBHOOK,
        ...['--notify-whatsapp', '\u202a+34 600\u2011111-222\u202c', '--notify-after', '5'],
      ),
      {
        webhook: { url: URL, secret: SECRET },
        whatsapp: '34600111222',
        after: 5 * 60_000,
      },
    );
    assert.equal(notifyOf(), undefined);
  });

  for (const [args, sentence] of [
    [['--notify', URL], '--notify requires --notify-secret or WO_NOTIFY_SECRET'],
    [['--notify', 'ftp://hooks.example'], '--notify takes an http(s) URL without name and password'],
    [
      ['--notify', 'https://ana:clave@hooks.example'],
      '--notify takes an http(s) URL without name and password',
    ],
    [
      ['--notify', URL, '--notify-secret', 'whsec_c2hvcnQ='],
      '--notify-secret takes whsec_ and 24 to 64 bytes',
    ],
    [['--notify-after', '3'], '--notify-after applies with --notify or --notify-whatsapp only'],
    [['--notify-whatsapp', '12'], '--notify-whatsapp takes a number with its country code'],
  ] as const) {
    it(`that are wrong are refused: ${args.join(' ')}`, () => {
      assert.throws(
        () => readCommand(args, {}),
        ({ message }) => message.includes(sentence),
      );
    });
  }

  it('that hold secrets appear in no output', () => {
    const command = readCommand([...WEBHOOK, '--check'], {});
    assert.ok(command.name === 'check');
    assert.doesNotMatch(command.text, /hooks\.example|whsec_/);
    assert.throws(
      () =>
        readCommand(['--notify', 'https://ana:clave@hooks.example', '--notify-secret', 'whsec_corta'], {}),
      ({ message }) => !/clave|corta/.test(message),
    );
  });
});
