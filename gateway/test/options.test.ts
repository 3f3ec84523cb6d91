import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { readCommand } from '../src/config.ts';
import { configSchema } from '../src/options.ts';

const DATABASE = 'postgres://wo:secret@db.example/gateways';
const TOKEN = 'abcdefgh-ABCD.0123_~+/=';

/** The options of the gateway that a command line, an environment and a file give, without those left out. */
function options(args: readonly string[], environment: Record<string, string> = {}) {
  const command = readCommand(args, environment);
  return command.name === 'serve' ? JSON.parse(JSON.stringify(command.options)) : assert.fail(command.name);
}

const refusal = (message: string | RegExp) => ({ name: 'UsageError', message });

describe('the command line', () => {
  test("omits what was not given, so that the gateway's defaults apply", () => {
    assert.deepEqual(options([]), {});
  });

  test('is parsed completely', () => {
    const args = ['--port', '0', '--sessions=12', '--speed', '2.5', '--engine', 'simulated'];
    const origins = ['--allow-origin', 'https://a.example', '--allow-origin', 'http://localhost:3000/'];
    const proxies = [
      '--trust-proxy',
      'loopback',
      '--trust-proxy',
      '10.0.0.0/8',
      '--trust-proxy',
      '2001:db8::1',
    ];
    assert.deepEqual(options([...args, ...origins, ...proxies, '--host', 'Wa.Example', '--token', TOKEN]), {
      port: 0,
      token: TOKEN,
      host: 'wa.example',
      trustProxy: ['loopback', '10.0.0.0/8', '2001:db8::1'],
      sessions: 12,
      speed: 2.5,
      allowOrigins: ['https://a.example', 'http://localhost:3000'],
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
      assert.equal(options(['--host', typed, '--token', TOKEN]).host, host);
    });
  }

  test('needs no token for the default host', () => {
    assert.equal(options(['--host', '127.0.0.1']).host, '127.0.0.1');
  });

  const badToken = '--token takes 16 or more characters, each an ASCII letter, a digit or one of -._~+/=.';
  const badProxy =
    '--trust-proxy takes an address, a network such as 10.0.0.0/8, or loopback, linklocal or uniquelocal.';
  const noToken = (host: string) =>
    `--host ${host} requires --token or WO_TOKEN, --access or --jwt-key: only 127.0.0.1 does without.`;
  test("passes the data folder and WhatsApp's URL to the engine for real phones", () => {
    const told = (args: string) => options(args.split(' ')).whatsapp;
    assert.deepEqual(told('--engine whatsapp'), { folder: 'whatsapp-data' });
    assert.deepEqual(told('--engine whatsapp --passkey'), { folder: 'whatsapp-data', passkey: true });
    assert.deepEqual(told('--engine whatsapp --data /srv/wo --whatsapp-url ws://127.0.0.1:9'), {
      folder: '/srv/wo',
      url: 'ws://127.0.0.1:9/',
    });
    const { version } = told('--engine whatsapp --whatsapp-version 2.3000.1042466098');
    assert.equal(version, '2.3000.1042466098');
  });

  test('shares a database with other gateways', () => {
    const told = (args: string) => options(args.split(' ')).cluster;
    const hosts = 'postgres://wo:secret@db1.example:5432,db2.example/gateways?sslmode=require';
    assert.deepEqual(told(`--database ${hosts}`), { database: hosts });
    assert.deepEqual(
      told('--database postgresql://[::1]/wo --advertise http://10.0.0.5:8080/ --lease 5 --max-sessions 400'),
      {
        database: 'postgresql://[::1]/wo',
        advertise: 'http://10.0.0.5:8080',
        lease: 5,
        maxSessions: 400,
      },
    );
    const everywhere = ['--host', '0.0.0.0', '--token', TOKEN, '--advertise', 'https://a.example'];
    assert.equal(options(['--database', DATABASE, ...everywhere]).cluster.advertise, 'https://a.example');
  });

  test('takes commands for the gateways of a database', () => {
    assert.deepEqual(readCommand(['nodes'], { WO_DATABASE: DATABASE }), {
      name: 'nodes',
      database: DATABASE,
    });
    assert.deepEqual(readCommand(['drain', '3f2a', '--database', DATABASE], {}), {
      name: 'drain',
      database: DATABASE,
      node: '3f2a',
    });
    assert.deepEqual(
      readCommand(['migrate', 'data', '--data', 'd', '--key-file', 'k'], { WO_DATABASE: DATABASE }),
      {
        name: 'migrate',
        to: 'data',
        folder: 'd',
        database: DATABASE,
        keyFile: 'k',
      },
    );
    const doctor = (args: readonly string[]) =>
      JSON.parse(JSON.stringify(readCommand(['doctor', ...args], { WO_DATABASE: DATABASE })));
    assert.deepEqual(doctor([]), { name: 'doctor', folder: 'whatsapp-data', database: DATABASE });
    assert.deepEqual(doctor(['--data', 'd']), { name: 'doctor', folder: 'd' });
  });

  test('demands what only a start needs of no other command', () => {
    const environment = { WO_HOST: '0.0.0.0' };
    assert.equal(readCommand(['doctor'], environment).name, 'doctor');
  });

  const badLease = '--lease takes a whole number of seconds from 5 to 300.';
  const badAdvertise = '--advertise takes a URL such as http://10.0.0.5:8080, with nothing after the port.';
  const badDatabase = '--database takes a URL such as postgres://user:password@db.example/gateways.';
  const mistakes: [args: string, says: string][] = [
    // Without quoting it: it may hold a password.
    ['--database mysql://wo:secret@db.example/wo', badDatabase],
    ['--database db.example', badDatabase],
    ['--database postgres://', badDatabase],
    ['--database postgres://a:1,b:x/wo', badDatabase],
    [`--database ${DATABASE} --data x --engine whatsapp`, '--data does not apply with --database.'],
    [`--database ${DATABASE} --lease 1`, badLease],
    [`--database ${DATABASE} --lease 301`, badLease],
    [`--database ${DATABASE} --lease 7.5`, badLease],
    [`--database ${DATABASE} --max-sessions 0`, '--max-sessions takes a whole number from 1 to 100000.'],
    ['--lease 15', '--lease applies with --database only.'],
    ...[
      '10.0.0.5:8080',
      'ws://a.example',
      'http://a.example/x',
      'http://a.example?x',
      'http://me@a.example',
    ].map((text): [string, string] => [`--database ${DATABASE} --advertise ${text}`, badAdvertise]),
    [`--database ${DATABASE} --host ::1`, noToken('::1')],
    [
      `--database ${DATABASE} --host 0.0.0.0 --token ${TOKEN}`,
      '--host 0.0.0.0 with --database requires --advertise, where other gateways reach this one, such as http://10.0.0.5:8080.',
    ],
    ['migrate database', 'migrate needs the database of the gateways: --database or WO_DATABASE.'],
    [
      `migrate --database ${DATABASE}`,
      'migrate takes where the sessions go: database, or data for the folder of --data.',
    ],
    ['nodes', 'nodes needs the database of the gateways: --database or WO_DATABASE.'],
    [`nodes x --database ${DATABASE}`, 'Unexpected argument; see --help.'],
    [`drain --database ${DATABASE}`, "drain takes a gateway's id or URL, as nodes shows them."],
    [
      `backup f --database ${DATABASE}`,
      'backup does not apply to --database: pg_dump copies the database, also while gateways are running.',
    ],
    [
      `restore f --database ${DATABASE}`,
      'restore does not apply to --database: stop all gateways, and restore the database with pg_restore.',
    ],
    ['--port x', '--port takes a whole number from 0 to 65535.'],
    ['--port 65536', '--port takes a whole number from 0 to 65535.'],
    ['--port=-1', '--port takes a whole number from 0 to 65535.'],
    ['--port -1', '--port takes a whole number from 0 to 65535.'],
    ['--port', '--port takes a whole number from 0 to 65535.'],
    ['--metrics=yes', '--metrics takes no value.'],
    ['--log-level loud', '--log-level takes trace, debug, info, warn, error, fatal or silent.'],
    ['--engine simulated --key-file k', '--key-file does not apply to --engine simulated.'],
    ['--new-key-file k', '--new-key-file applies to rekey only.'],
    ['rekey', 'rekey takes the new key with --new-key-file.'],
    ['backup', 'backup takes a file, such as: backup sessions.backup.'],
    ['backup a b', 'Unexpected argument; see --help.'],
    ['--config=', '--config takes a file.'],
    [
      '--config /nowhere.json',
      "The configuration file '/nowhere.json' does not exist: name another with --config.",
    ],
    ['--config /', "The configuration file '/' is not a regular file: name another with --config."],
    [
      '--config /dev/zero',
      "The configuration file '/dev/zero' is not a regular file: name another with --config.",
    ],
    ['--sessions 1.5', '--sessions takes a whole number from 0 to 100000.'],
    ['--speed 0', '--speed takes a number above 0 and up to 10000.'],
    ['--speed fast', '--speed takes a number above 0 and up to 10000.'],
    ['--engine pigeon', '--engine takes simulated, whatsapp, waha or evolution.'],
    ['--data x', '--data does not apply to --engine simulated.'],
    ['--engine whatsapp --speed 2', '--speed does not apply to --engine whatsapp.'],
    ['--engine whatsapp --data=', '--data takes a folder.'],
    ['--passkey', '--passkey does not apply to --engine simulated.'],
    ['--server http://127.0.0.1:3000', '--server does not apply to --engine simulated.'],
    ['--engine whatsapp --allow-delete', '--allow-delete does not apply to --engine whatsapp.'],
    ['--engine waha --server-key k', '--engine waha requires --server: where its API is.'],
    ['--engine waha --server http://127.0.0.1:3000', '--engine waha requires its key: WO_SERVER_KEY.'],
    ['doctor --engine evolution --server-key k', '--engine evolution requires --server: where its API is.'],
    [
      '--engine waha --server-key k --server waha:3000',
      '--server takes an http(s) URL without query or fragment.',
    ],
    ['--engine waha --server-key ñ --server http://h', '--server-key takes a key without spaces.'],
    [
      '--engine waha --server-key k --server http://h --database postgres://h/d',
      "--engine waha does not apply with --database: the sessions are its server's.",
    ],
    [
      '--engine whatsapp --whatsapp-version 2.3000',
      '--whatsapp-version takes a version such as 2.3000.1043857760.',
    ],
    ...['https://a.example/', 'wss://ana:secreta@a.example/'].map((url): [string, string] => [
      `--engine whatsapp --whatsapp-url ${url}`,
      '--whatsapp-url takes a URL such as wss://whatsapp.example/.',
    ]),
    ['--allow-origin portal', '--allow-origin takes an origin such as https://portal.example.'],
    ['--allow-origin *', '--allow-origin takes an origin such as https://portal.example.'],
    [
      '--allow-origin https://a.example/panel',
      '--allow-origin takes an origin such as https://portal.example.',
    ],
    ['--token corto', badToken],
    ['--token 123456789012345', badToken],
    ['--token=', badToken],
    ['--token contraseña-muy-larga', badToken],
    ['--token "quoted-and-long"-and', badToken],
    // Without quoting it: it is a part of the token.
    ['--token correct-horse-battery staple', 'There is no such command; see --help.'],
    ['--token=correct-horse-battery staple', 'There is no such command; see --help.'],
    ...['proxy.example', 'true', '1.2.3', '10.0.0.0/33', '0.0.0.0/0', '10.0.0.1,10.0.0.2'].map(
      (text): [string, string] => [`--trust-proxy ${text}`, badProxy],
    ),
    ['--trust-proxy=', badProxy],
    ['--host 0.0.0.0', noToken('0.0.0.0')],
    ['--host ::1', noToken('::1')],
    ['--host wa.example', noToken('wa.example')],
    [`--host a/b --token ${TOKEN}`, '--host takes an address or a name.'],
    [`--host a:80 --token ${TOKEN}`, '--host takes an address or a name.'],
    [`--host https://a --token ${TOKEN}`, '--host takes an address or a name.'],
    ['--colour', "Unknown option '--colour'; see --help."],
    ['--tokencorrect-horse-battery', 'Unknown option; see --help.'],
    ['--proxyhttp://ana:secreta@proxy', 'Unknown option; see --help.'],
    ...['proxy.example:8080', 'ftp://ana:secreta@proxy', 'http://proxy/path'].map(
      (text): [string, string] => [
        `--engine whatsapp --proxy ${text}`,
        '--proxy takes a URL such as http://user:password@proxy.example:8080, https://… or socks5://….',
      ],
    ),
    [
      '--engine whatsapp --proxy-check http://checkip.example/',
      '--proxy-check takes an https URL, or an http URL on 127.0.0.1 or localhost.',
    ],
    ['--proxy http://proxy:8080', '--proxy does not apply to --engine simulated.'],
    ['--notify-secretwhsec_c2VjcmV0', 'Unknown option; see --help.'],
    ['start', 'There is no such command; see --help.'],
    ['constructor', 'There is no such command; see --help.'],
  ];
  for (const [args, message] of mistakes) {
    test(`refuses ${args}`, () => {
      assert.throws(() => readCommand(args.split(' '), {}), refusal(message));
    });
  }

  test('refuses a token with a space, without quoting it', () => {
    assert.throws(() => readCommand(['--token', `${TOKEN} and`], {}), refusal(badToken));
  });
});

describe('the environment', () => {
  test('sets what the command line leaves open', () => {
    const environment = {
      WO_PORT: '9000',
      WO_TOKEN: TOKEN,
      WO_ALLOW_ORIGIN: 'https://a.example,https://b.example',
      WO_METRICS: 'true',
    };
    assert.deepEqual(options(['--port', '9001'], environment), {
      port: 9001,
      token: TOKEN,
      allowOrigins: ['https://a.example', 'https://b.example'],
      metrics: true,
    });
  });

  test('may have options of the other engine, in wait', () => {
    assert.deepEqual(options([], { WO_DATA: '/data' }), {});
  });

  for (const [environment, message] of [
    [{ WO_TOKEN: '' }, /^WO_TOKEN takes 16 or more characters/],
    [{ WO_TOKEN: 'corto' }, /^WO_TOKEN takes 16 or more characters[^']*$/],
    [{ WO_PORT: '-1' }, 'WO_PORT takes a whole number from 0 to 65535.'],
    [{ WO_METRICS: 'yes' }, 'WO_METRICS takes true or false.'],
    [{ WO_ALLOW_DELETE: 'yes' }, 'WO_ALLOW_DELETE takes true or false.'],
    [
      { WO_HOST: '0.0.0.0' },
      'WO_HOST 0.0.0.0 requires --token or WO_TOKEN, --access or --jwt-key: only 127.0.0.1 does without.',
    ],
  ] as const) {
    test(`is refused with ${JSON.stringify(environment)}`, () => {
      assert.throws(() => readCommand([], environment), refusal(message));
    });
  }
});

describe('the configuration file', () => {
  const written = (text: string) => {
    const file = join(temporaryFolder(), 'gateway.json');
    writeFileSync(file, text);
    return file;
  };

  test('sets what command line and environment leave open', () => {
    const content = {
      $schema: './gateway.schema.json',
      port: 9000,
      sessions: 3,
      speed: 2,
      'trust-proxy': ['loopback'],
      'allow-origin': 'https://a.example',
      metrics: true,
    };
    const file = written(JSON.stringify(content));
    assert.deepEqual(options(['--config', file, '--port', '9001'], { WO_SPEED: '4' }), {
      port: 9001,
      sessions: 3,
      speed: 4,
      trustProxy: ['loopback'],
      allowOrigins: ['https://a.example'],
      metrics: true,
    });
  });

  test('is refused however deep it is nested, and however long it is', () => {
    const deep = written(`{"port": ${'['.repeat(100_000)}${']'.repeat(100_000)}}`);
    assert.throws(() => readCommand(['--config', deep], {}), refusal(/^"port" in .* from 0 to 65535\.$/));
    const open = written('['.repeat(900_000));
    assert.throws(() => readCommand(['--config', open], {}), refusal(/is not valid JSON/));
    const long = written('');
    truncateSync(long, 3_000_000_000);
    assert.throws(
      () => readCommand(['--config', long], {}),
      refusal(`The configuration file '${long}' is larger than 1 MB: name another with --config.`),
    );
  });

  test('is refused at once as a pipe that nobody writes to', () => {
    const pipe = join(temporaryFolder(), 'pipe');
    execFileSync('mkfifo', [pipe]);
    assert.throws(() => readCommand(['--config', pipe], {}), refusal(/is not a regular file/));
  });

  test('may begin with a byte order mark', () => {
    const file = written('\uFEFF{"port": 9000}');
    assert.deepEqual(options(['--config', file]), { port: 9000 });
  });

  for (const [text, says] of [
    [
      '{"port": 9000,}',
      (file: string) =>
        `The configuration file '${file}' is not valid JSON: check commas, quotes and brackets.`,
    ],
    ['[]', (file: string) => `The configuration file '${file}' must hold an object, such as {"port": 9000}.`],
    ['{"prot": 9000}', (file: string) => `"prot" in ${file} is not an option; see --help.`],
    ['{"config": "x"}', (file: string) => `"config" in ${file} is not an option; see --help.`],
    ['{"port": -1}', (file: string) => `"port" in ${file} takes a whole number from 0 to 65535.`],
    ['{"port": null}', (file: string) => `"port" in ${file} takes a whole number from 0 to 65535.`],
    ['{"port": [1, 2]}', (file: string) => `"port" in ${file} takes a whole number from 0 to 65535.`],
    ['{"data": {"x": 1}}', (file: string) => `"data" in ${file} takes a folder.`],
    [
      '{"token": "corto"}',
      (file: string) =>
        `"token" in ${file} takes 16 or more characters, each an ASCII letter, a digit or one of -._~+/=.`,
    ],
  ] as const) {
    test(`is refused as ${text}`, () => {
      const file = written(text);
      assert.throws(() => readCommand(['--config', file], {}), refusal(says(file)));
    });
  }

  test('has a schema with every option that it takes', () => {
    const { properties }: { properties?: object } = configSchema();
    assert.deepEqual(Object.keys(properties ?? {}).slice(0, 3), ['$schema', 'port', 'token']);
    assert.ok(!Object.hasOwn(properties ?? {}, 'help'));
  });
});

describe('--check', () => {
  test('does not show the database and the proxy, whose URLs may hold a password', () => {
    const command = readCommand(['--check', '--engine', 'whatsapp', '--database', DATABASE], {
      WO_PROXY: 'socks5://ana:secreta@proxy.example',
    });
    assert.ok(command.name === 'check');
    assert.match(command.text, /^database +\(set\) +--database$/m);
    assert.match(command.text, /^proxy +\(set\) +WO_PROXY$/m);
    assert.doesNotMatch(command.text, /wo:secret|db\.example|secreta|proxy\.example/);
  });

  test('says what would be used and where it comes from, and all that is wrong, without secrets', () => {
    const command = readCommand(['--check', '--port', '-1', '--host', '::', '--token', 'corto'], {
      WO_SPEED: '0',
      WO_PROT: '1',
    });
    assert.ok(command.name === 'check');
    assert.match(command.text, /^port +\(invalid\) +--port$/m);
    assert.match(command.text, /^token +\(set\) +--token$/m);
    assert.match(command.text, /^speed +\(invalid\) +WO_SPEED$/m);
    assert.match(command.text, /^engine +simulated +default$/m);
    assert.match(command.text, /^metrics +off +default$/m);
    assert.doesNotMatch(command.text, /corto/);
    assert.deepEqual(command.problems, [
      '--port takes a whole number from 0 to 65535.',
      '--token takes 16 or more characters, each an ASCII letter, a digit or one of -._~+/=.',
      'WO_SPEED takes a number above 0 and up to 10000.',
      'WO_PROT is not an option; see --help.',
    ]);
  });

  test('says what is wrong with the key file', () => {
    const command = readCommand(['--check', '--engine', 'whatsapp', '--key-file', '/nowhere.key'], {});
    assert.ok(command.name === 'check');
    assert.deepEqual(command.problems, [
      "The key file '/nowhere.key' does not exist: create it with openssl rand -hex 32, or, if the store is encrypted, copy its key there.",
    ]);
  });
});
