import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseOptions } from '../src/config.ts';

const TOKEN = 'abcdefgh-ABCD.0123_~+/=';

describe('the command line', () => {
  test("omits what was not given, so that the gateway's defaults apply", () => {
    for (const value of Object.values(parseOptions([], {}))) assert.equal(value, undefined);
  });

  test('is parsed completely', () => {
    const args = ['--port', '0', '--sessions=12', '--speed', '2.5', '--engine', 'simulated'];
    const origins = ['--allow-origin', 'https://a.example', '--allow-origin', 'http://localhost:3000/'];
    const others = ['--other-server', 'http://127.0.0.1:8081'];
    const proxies = [
      '--trust-proxy',
      'loopback',
      '--trust-proxy',
      '10.0.0.0/8',
      '--trust-proxy',
      '2001:db8::1',
    ];
    assert.deepEqual(
      parseOptions(
        [...args, ...origins, ...others, ...proxies, '--host', 'Wa.Example', '--token', TOKEN],
        {},
      ),
      {
        port: 0,
        token: TOKEN,
        host: 'wa.example',
        trustProxy: ['loopback', '10.0.0.0/8', '2001:db8::1'],
        sessions: 12,
        speed: 2.5,
        allowOrigins: ['https://a.example', 'http://localhost:3000'],
        otherServers: ['http://127.0.0.1:8081'],
      },
    );
  });

  test('takes the token from the environment, unless it is an option', () => {
    const token = (args: string[], WO_TOKEN?: string) => {
      const options = parseOptions(args, { WO_TOKEN });
      return options === 'help' ? options : options.token;
    };
    assert.equal(token([], TOKEN), TOKEN);
    assert.equal(token(['--token', 'another-token-of-mine'], TOKEN), 'another-token-of-mine');
    assert.equal(token(['--help'], TOKEN), 'help');
    assert.throws(() => token([], ''), {
      name: 'UsageError',
      message: /^WO_TOKEN takes 16 or more characters/,
    });
    assert.throws(() => token([], 'corto'), {
      name: 'UsageError',
      message: /^WO_TOKEN takes 16 or more characters/,
    });
  });

  const hosts: [typed: string, host: string][] = [
    ['0.0.0.0', '0.0.0.0'],
    ['::', '::'],
    ['[::1]', '::1'],
    ['192.168.1.20', '192.168.1.20'],
    ['localhost', '127.0.0.1'],
  ];
  for (const [typed, host] of hosts) {
    test(`takes --host ${typed}`, () => {
      assert.equal(Object(parseOptions(['--host', typed, '--token', TOKEN], {})).host, host);
    });
  }

  test('needs no token for the default host', () => {
    assert.equal(Object(parseOptions(['--host', '127.0.0.1'], {})).host, '127.0.0.1');
  });

  const badToken = '--token takes 16 or more characters, each an English letter, a digit or one of -._~+/=.';
  const badProxy = (text: string) =>
    `--trust-proxy takes an address, a network such as 10.0.0.0/8, or loopback, linklocal or uniquelocal, not '${text}'.`;
  const noToken = (host: string) =>
    `--host ${host} admits other machines, which requires --token or WO_TOKEN.`;
  test("passes the data folder and WhatsApp's URL to the engine for real phones", () => {
    const told = (args: string) => {
      const options = parseOptions(args.split(' '), {});
      return options === 'help' ? undefined : options.whatsapp;
    };
    assert.deepEqual(told('--engine whatsapp'), { folder: 'whatsapp-data' });
    assert.deepEqual(told('--engine whatsapp --data /srv/wo --whatsapp-url ws://127.0.0.1:9'), {
      folder: '/srv/wo',
      url: 'ws://127.0.0.1:9/',
    });
  });

  const mistakes: [args: string, says: string][] = [
    ['--port x', "--port takes a whole number from 0 to 65535, not 'x'."],
    ['--port 65536', "--port takes a whole number from 0 to 65535, not '65536'."],
    ['--port=-1', "--port takes a whole number from 0 to 65535, not '-1'."],
    ['--port', "Option '--port <value>' argument missing; see --help."],
    ['--sessions 1.5', "--sessions takes a whole number from 0 to 100000, not '1.5'."],
    ['--speed 0', "--speed takes a number above 0 and up to 10000, not '0'."],
    ['--speed fast', "--speed takes a number above 0 and up to 10000, not 'fast'."],
    ['--engine pigeon', "--engine takes simulated or whatsapp, not 'pigeon'."],
    ['--data x', '--data does not apply to --engine simulated.'],
    ['--engine whatsapp --speed 2', '--speed does not apply to --engine whatsapp.'],
    ['--engine whatsapp --data=', '--data takes a folder.'],
    [
      '--engine whatsapp --whatsapp-url https://a.example/',
      "--whatsapp-url takes a URL such as wss://whatsapp.example/, not 'https://a.example/'.",
    ],
    ['--allow-origin portal', "--allow-origin takes an origin such as https://portal.example, not 'portal'."],
    ['--allow-origin *', "--allow-origin takes an origin such as https://portal.example, not '*'."],
    [
      '--allow-origin https://a.example/panel',
      "--allow-origin takes an origin such as https://portal.example, not 'https://a.example/panel'.",
    ],
    ['--other-server x', "--other-server takes an origin such as https://portal.example, not 'x'."],
    ['--token corto', badToken],
    ['--token 123456789012345', badToken],
    ['--token=', badToken],
    ['--token contraseña-muy-larga', badToken],
    ['--token "quoted-and-long"-and', badToken],
    // Without quoting it: it is a part of the token.
    ['--token correct-horse-battery staple', 'Unexpected argument; see --help.'],
    ...['proxy.example', 'true', '1.2.3', '10.0.0.0/33', '0.0.0.0/0', '10.0.0.1,10.0.0.2'].map(
      (text): [string, string] => [`--trust-proxy ${text}`, badProxy(text)],
    ),
    ['--trust-proxy=', badProxy('')],
    ['--host 0.0.0.0', noToken('0.0.0.0')],
    ['--host ::1', noToken('::1')],
    ['--host wa.example', noToken('wa.example')],
    [`--host a/b --token ${TOKEN}`, "--host takes an address or a name, not 'a/b'."],
    [`--host a:80 --token ${TOKEN}`, "--host takes an address or a name, not 'a:80'."],
    [`--host https://a --token ${TOKEN}`, "--host takes an address or a name, not 'https://a'."],
    ['--colour', "Unknown option '--colour'; see --help."],
    ['start', "Unexpected argument 'start'; see --help."],
  ];
  for (const [args, message] of mistakes) {
    test(`refuses ${args}`, () => {
      assert.throws(() => parseOptions(args.split(' '), {}), { name: 'UsageError', message });
    });
  }
});
