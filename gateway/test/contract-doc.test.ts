import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { EXTENSIONS } from '../../src/wire.ts';
import { until } from '../../test/support/until.ts';
import type { Gateway } from '../src/gateway.ts';
import { type Answer, call, Listener, startGateway } from './support/gateway.ts';
import { ManualClock } from './support/manual-clock.ts';

const PAGE = readFileSync(new URL('../../docs/contract.md', import.meta.url), 'utf8');

/** The phones of the page: one is linked, one is not, and one receives a message. */
const LINKED = '34648271605';
const NEW = '5215550001111';
const OTHER = '34600000001';

/** Returns the lines of the exchanges in a section of the page. */
function exchange(heading: string): string[] {
  const section = PAGE.split(/^##+ /m).find((text) => text.startsWith(`${heading}\n`)) ?? '';
  return [...section.matchAll(/^```\n([\s\S]*?)^```/gm)].flatMap(([, block = '']) =>
    block.trim().split('\n'),
  );
}

/** Replays an exchange, and checks that every answer and push has the form on the page. */
class Replay {
  readonly #gateway: Gateway;
  readonly #listener: Listener;
  readonly #clock: ManualClock;
  /** What is in place of the page's times and identifiers. */
  readonly #actual = new Map<string, string>();
  #heard = 0;
  #answer: Promise<Answer> | undefined;

  constructor(gateway: Gateway, listener: Listener, clock: ManualClock) {
    this.#gateway = gateway;
    this.#listener = listener;
    this.#clock = clock;
  }

  async run(lines: readonly string[]): Promise<void> {
    assert.ok(lines.length > 0);
    for (const line of lines) {
      const [, kind, first = '', rest = ''] = /^([>*<-]) (\S+) ?(.*)$/.exec(line) ?? [];
      if (kind === '>') this.#ask(first, rest);
      else if (kind === '*') await this.#hear(first, rest, line);
      else if (kind === '<') await this.#read(Number(first), rest, line);
      else await this.#act(`${first} ${rest}`);
    }
  }

  #ask(method: string, rest: string): void {
    const [path = '', ...body] = rest.split(' ');
    const actual = path.replace(/\d{13}$/, (time) => this.#actual.get(time) ?? time);
    this.#answer = call(this.#gateway, actual, {
      method,
      ...(body.length > 0 && { body: JSON.parse(body.join(' ')) }),
    });
  }

  async #hear(name: string, payload: string, line: string): Promise<void> {
    const { all: pushes } = this.#listener;
    const index = await until(() => {
      const next = pushes.findIndex((push, place) => place >= this.#heard && push[0] === name);
      return next < 0 ? undefined : { next };
    }, line);
    this.#heard = index.next + 1;
    if (payload !== '') this.#compare(JSON.parse(payload), pushes[index.next]?.[1], line);
  }

  async #read(status: number, body: string, line: string): Promise<void> {
    const answer = await this.#answer;
    assert.equal(answer?.status, status, line);
    if (body !== '') this.#compare(JSON.parse(body), answer.body, line);
  }

  async #act(action: string): Promise<void> {
    const { phones } = this.#gateway;
    switch (action) {
      case "the phone's owner removes the device":
        return phones.phone(LINKED).logOut();
      case 'WhatsApp restricts the account':
        return phones.setFault(LINKED, 'restricted');
      case 'the first QR code is there':
        this.#clock.advance(1_000);
        await this.#listener.heard(`session:qr:${NEW}`);
        return;
      case 'the phone of an account with a passkey scans it':
        return phones.phone(NEW).usePasskey();
      case "the phone's owner types the code":
        return phones.typeCode(NEW, this.#actual.get('K7QW3N8P') ?? '');
      case "the other phone's owner reads it":
        return phones.phone(OTHER).read();
      default:
        assert.fail(action);
    }
  }

  /** Times, codes and identifiers are others each time; everything else is as on the page. */
  #compare(page: unknown, actual: unknown, line: string): void {
    if (typeof page === 'number' && page > 1e12) {
      assert.ok(typeof actual === 'number' && actual > 1e12, line);
      this.#actual.set(String(page), String(actual));
    } else if (typeof page === 'string' && CHANGING.some((form) => form.test(page))) {
      const form = CHANGING.find((some) => some.test(page));
      assert.ok(typeof actual === 'string' && form?.test(actual), `${line}: ${actual}`);
      this.#actual.set(page, actual);
    } else if (page instanceof Object && actual instanceof Object) {
      const { statusCode: _status, error: _error, ...rest } = { statusCode: 0, error: '', ...actual };
      assert.deepEqual(Object.keys(rest).sort(), Object.keys(page).sort(), line);
      for (const [key, value] of Object.entries(page)) this.#compare(value, Reflect.get(actual, key), line);
    } else assert.deepEqual(actual, page, line);
  }
}

/** A code to scan, a code to type, the id of a message, the id and the URL of a link, and what to sign. */
const CHANGING = [
  /^2@/,
  /^[1-9A-HJ-NP-TV-Z]{8}$/,
  /^[\da-f-]{36}$/,
  /^[\da-f]{16}$/,
  /^(?:\.\.\/){3}l\/#[\w-]{22}$/,
  /^[\w-]{43}$/,
];

test('docs/contract.md names every extension', () => {
  const [, extensions = ''] = PAGE.split(/^## Extensions$/m);
  assert.deepEqual(
    EXTENSIONS.filter((name) => !extensions.includes(`\`${name}\``)),
    [],
  );
});

describe('the exchanges in docs/contract.md are those of the gateway', () => {
  test('the announcement', async (t) => {
    const gateway = await startGateway(t);
    const listener = await Listener.connect(t, gateway);
    await new Replay(gateway, listener, new ManualClock()).run(exchange('Extensions'));
    assert.equal(listener.all[0]?.[0], 'server:extensions');
  });

  for (const name of [
    'presence',
    'details',
    'label',
    'history',
    'unlink',
    'pairing',
    'link',
    'ack',
    'proxy',
    'passkey',
  ]) {
    test(name, async (t) => {
      const clock = new ManualClock();
      const isNew = ['presence', 'pairing', 'passkey'].includes(name);
      const gateway = await startGateway(t, {
        clock,
        sessions: isNew
          ? []
          : [
              { numero: LINKED, state: 'connected' },
              ...(name === 'link' ? [{ numero: NEW, state: 'disconnected' } as const] : []),
            ],
      });
      if (name === 'history') gateway.phones.phone(LINKED).logOut();
      const listener = await Listener.connect(t, gateway);
      await new Replay(gateway, listener, clock).run(exchange(`\`${name}\``));
    });
  }
});

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

interface Body {
  readonly required?: boolean;
  readonly content?: { readonly 'application/json': { readonly schema: Schema } };
}

interface Operation {
  readonly parameters?: readonly { readonly name: string }[];
  readonly requestBody?: Body;
  readonly responses: Readonly<Record<string, Body>>;
}

const API: { readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>> } = JSON.parse(
  readFileSync(new URL('../dist/openapi.json', import.meta.url), 'utf8'),
);

const OPERATIONS = Object.entries(API.paths).flatMap(([path, operations]) =>
  Object.entries(operations).map(([method, operation]) => ({
    ...operation,
    call: `${method.toUpperCase()} ${path}`,
  })),
);

/** Returns the names of all fields, those of a field's value with its name before a dot. */
function fieldsOf({ properties = {}, items }: Schema, prefix = ''): string[] {
  if (items) return fieldsOf(items, prefix);
  return Object.entries(properties).flatMap(([name, schema]) => [
    prefix + name,
    ...fieldsOf(schema, `${prefix}${name}.`),
  ]);
}

function fieldsIn(value: unknown, prefix = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => fieldsIn(item, prefix));
  if (!(value instanceof Object)) return [];
  return Object.entries(value).flatMap(([name, inner]) => [
    prefix + name,
    ...fieldsIn(inner, `${prefix}${name}.`),
  ]);
}

/** Returns what openapi.json has: calls, and with them statuses, parameters and fields. */
function described(): string[] {
  return OPERATIONS.flatMap(({ call, parameters = [], requestBody, responses }) => [
    call,
    ...parameters.map(({ name }) => `${call} ${name}`),
    ...fieldsOfBody(requestBody).map((field) => `${call} ${field}`),
    ...Object.entries(responses).flatMap(([status, answer]) => [
      `${call} ${status}`,
      ...fieldsOfBody(answer).map((field) => `${call} ${status} ${field}`),
    ]),
  ]);
}

function fieldsOfBody(body?: Body): string[] {
  return fieldsOf(body?.content?.['application/json'].schema ?? {});
}

/** Returns what the exchanges have, in the same words. */
function exchanged(): string[] {
  const lines = [...PAGE.matchAll(/^([><]) (\S+) ?(\S*) ?(.*)$/gm)];
  let call = '';
  return lines.flatMap(([, kind, first = '', second = '', rest = '']) => {
    if (kind === '<') {
      const status = first.startsWith('2') ? first : `${first[0]}XX`;
      const body = `${second} ${rest}`.trim();
      const fields = body === '' ? [] : fieldsIn(JSON.parse(body));
      return [`${call} ${status}`, ...fields.map((field) => `${call} ${status} ${field}`)];
    }
    const [path = '', query = ''] = second.split('?');
    call = `${first} ${path.replace(/\/\d+/, '/{numero}')}`;
    const fields = [...new URLSearchParams(query).keys(), ...fieldsIn(rest === '' ? {} : JSON.parse(rest))];
    return [call, ...fields.map((field) => `${call} ${field}`)];
  });
}

/** Returns the calls of the table of calls, with their statuses, in the same words. */
function tabled(): string[] {
  return ROWS.flatMap(({ call, rest }) => [
    call,
    ...[...rest.matchAll(/\b2\d\d\b/g)].map(([status]) => `${call} ${status}`),
  ]);
}

const ROWS = [...PAGE.matchAll(/^\| `(\w+) \{api-base\}([^`]+)` (.*)$/gm)].map(
  ([, method, path, rest = '']) => ({ call: `${method} /api${path}`, rest }),
);

/** Returns the words in the code of a text. */
function codeWords(text: string): string[] {
  return [...text.matchAll(/`[^`\n]+`|"\w+":/g)].flatMap(([code]) => code.match(/\w+/g) ?? []);
}

test('openapi.json requires the bodies without which a call is refused', () => {
  const required = OPERATIONS.filter(({ requestBody }) => requestBody?.required).map(({ call }) => call);
  assert.deepEqual(required, ['POST /api/message', 'PUT /api/session/{numero}/details']);
});

describe('openapi.json has what docs/contract.md names, and nothing else', () => {
  const inFile = described();
  const nameOf = (fact: string) => fact.split(/[ .]/).at(-1) ?? '';
  const onPage = new Set([...exchanged(), ...tabled()]);

  test('the calls, statuses, parameters and fields of the exchanges', () => {
    assert.ok(onPage.size > 50);
    const missing = [...onPage].filter((fact) => !inFile.includes(fact));
    assert.deepEqual(missing, []);
  });

  test('the fields of the tables', () => {
    const [, details = ''] = PAGE.split(/^### `details`$/m);
    const fields = [
      ...details
        .split(/^###/m, 1)
        .join()
        .matchAll(/^\| (`.*)$/gm),
    ].map(([, row = '']) => row);
    const list = 'GET /api/session/sessions';
    const rows = [...ROWS, ...fields.map((row) => ({ call: list, rest: row.split(' | ', 1).join() }))];
    assert.ok(fields.length > 5 && ROWS.length === 4);
    for (const { call, rest } of rows) {
      const names = new Set(inFile.filter((fact) => fact.startsWith(`${call} `)).map(nameOf));
      const missing = codeWords(rest).filter((word) => word !== 'number' && !names.has(word));
      assert.deepEqual(missing, [], call);
    }
  });

  test('nothing else', () => {
    const names = new Set(codeWords(PAGE));
    // Every call can fail.
    const others = inFile.filter((fact) => !onPage.has(fact) && !/ \dXX$/.test(fact));
    assert.deepEqual(
      others.filter((fact) => !names.has(nameOf(fact))),
      [],
    );
  });
});
