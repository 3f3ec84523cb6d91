import assert from 'node:assert/strict';
import { describe, it, mock } from 'node:test';
import { format } from 'node:util';
import { parseLabels } from '../../src/labels.ts';
import { createParser } from '../../src/server/parse.ts';
import { joinPast, withPage } from '../../src/session/history.ts';
import type { Details, DetailsChange } from '../../src/session/session.ts';
import { overHttp, stopTime, t } from './support.ts';

const numero = '5491155550001';
const now = Date.UTC(2026, 0, 1);
const HOUR = 3_600_000;

stopTime();

/** The sentences in the console while something runs. */
function logged(run: () => unknown): string[] {
  const { mock: log } = mock.method(console, 'error', () => {});
  run();
  return log.calls.map((call) => format(...call.arguments));
}

const answered = (answer: unknown) => ({ body: answer, url: '', clockOffset: 0 });

/** Reads the details of a listed session. */
function detailsOf(item: object, parser = createParser(t), clockOffset = 0): Details | undefined {
  const [listed] = parser.list({ ...answered([{ numero, ...item }]), clockOffset });
  return listed?.details;
}

describe('an announcement', () => {
  const ANNOUNCEMENTS: readonly [args: unknown[], known: string[]][] = [
    [[{ extensions: ['ack', 'teleport', 'details', 7, null] }], ['ack', 'teleport', 'details']],
    [[{ extensions: [] }], []],
    [[{ extensions: 'details' }], []],
    [[{ extensions: { details: true } }], []],
    [[['details']], []],
    [['details'], []],
    [[null], []],
    [[], []],
  ];
  for (const [args, known] of ANNOUNCEMENTS) {
    it(`has the words of the server, of which the panel asks for those that it knows: ${JSON.stringify(args)}`, () =>
      assert.deepEqual([...createParser(t).extensions(args)], known));
  }

  it('says by what the server tells people, in one line of 60 characters at most', () => {
    const read = (notifies: unknown) => createParser(t).notifies([{ extensions: [], notifies }]);
    assert.equal(read('webhook y WhatsApp'), 'webhook y WhatsApp');
    assert.equal(read(`\u202eweb\nhook${'k'.repeat(100)}`), `web hook${'k'.repeat(52)}`);
    for (const invalid of [undefined, null, '', ' \n', 7, true, ['webhook'], { by: 'webhook' }])
      assert.equal(read(invalid), undefined);
    for (const payload of [null, undefined, 'webhook'])
      assert.equal(createParser(t).notifies([payload]), undefined);
  });
});

describe('a push of an extension', () => {
  const expires = now + HOUR;
  const good: readonly [name: string, payload: unknown, push: object][] = [
    [
      'session:created',
      { numero: Number(numero), state: 'X', waiting: true, label: 'Ventas' },
      {
        type: 'created',
        numero,
        session: { numero, state: 'X', waiting: true },
        details: { label: 'Ventas' },
      },
    ],
    ['session:deleted', { numero }, { type: 'deleted', numero, notice: undefined }],
    [
      `session:details:${numero}`,
      { label: ' Ventas ', group: null, since: 5, unknown: 1 },
      { type: 'details', numero, change: { label: 'Ventas', group: undefined, since: 5 } },
    ],
    [
      `session:details:${numero}`,
      { reason: { code: 'logged-out', text: 'Se cerró', more: 1 }, link: { id: 'a1', expires, opened: 5 } },
      {
        type: 'details',
        numero,
        change: {
          reason: { code: 'logged-out', text: 'Se cerró', until: undefined },
          link: { id: 'a1', expires, opened: 5 },
        },
      },
    ],
    [
      `session:passkey:${numero}`,
      { step: 'sign', text: 'Confirma', url: 'https://web.whatsapp.com/sign' },
      {
        type: 'details',
        numero,
        change: { passkey: { step: 'sign', text: 'Confirma', url: 'https://web.whatsapp.com/sign' } },
      },
    ],
    [`session:passkey:${numero}`, null, { type: 'details', numero, change: { passkey: undefined } }],
    [
      `session:code:${numero}`,
      { code: 'ABCD-1234', expires },
      { type: 'code', numero, pairing: { code: 'ABCD1234', expires } },
    ],
    [`session:code:${numero}`, null, { type: 'code', numero, pairing: undefined }],
    [
      'message:ack',
      { id: 'A1', remitente: Number(numero), contacto: 1, status: 'failed', reason: 'No' },
      { type: 'ack', numero, id: 'A1', status: 'failed', error: 'No' },
    ],
  ];
  for (const [name, payload, push] of good) {
    it(`is understood: ${name} ${JSON.stringify(payload)}`, () =>
      assert.deepEqual(createParser(t).push(name, [payload]), push));
  }

  const bad: readonly [name: string, payload: unknown][] = [
    ['session:created', undefined],
    ['session:created', numero],
    ['session:created', { state: 'X' }],
    ['session:deleted', numero],
    ['session:deleted', {}],
    [`session:details:${numero}`, undefined],
    [`session:details:${numero}`, null],
    [`session:details:${numero}`, 'Ventas'],
    [`session:code:${numero}`, undefined],
    [`session:code:${numero}`, 'ABCD1234'],
    [`session:code:${numero}`, { code: 'ABCD1234' }],
    [`session:code:${numero}`, { code: 'ABCD123', expires }],
    [`session:code:${numero}`, { code: 12345678, expires }],
    [`session:code:${numero}`, { code: 'ABCD1234', expires: '2026' }],
    ['message:ack', null],
    ['message:ack', { id: 1, remitente: numero, status: 'read' }],
    ['message:ack', { id: 'A1', status: 'read' }],
    ['message:ack', { id: 'A1', remitente: numero, status: 'played' }],
  ];
  for (const [name, payload] of bad) {
    it(`is ignored and logged once: ${name} ${JSON.stringify(payload)}`, () => {
      const parser = createParser(t);
      const log = logged(() => {
        for (let time = 0; time < 3; time += 1) assert.equal(parser.push(name, [payload]), undefined);
      });
      assert.equal(log.length, 1);
    });
  }

  it('is none where the name is that of something else', () => {
    const parser = createParser(t);
    assert.deepEqual(
      logged(() => assert.equal(parser.push('session:unheard_of', [{}]), undefined)),
      [],
    );
  });
});

describe('details', () => {
  const read = (item: object) => detailsOf(item) ?? {};

  it('of a wrong type are absent, and logged once for each kind', () => {
    const parser = createParser(t);
    const item = {
      name: 7,
      label: ['Ventas'],
      group: { text: 'Norte' },
      since: '2026-01-01',
      reason: 'logged out',
      link: { id: ' ', expires: now },
      restricted: { until: now },
      quota: { used: 97 },
      lastSignal: null,
      stability: { days: 30, drops: '3', away: 5 },
      proxy: 8080,
      exit: {},
      passkey: { step: 'sign', text: ' ' },
    };
    const log = logged(() => {
      for (let time = 0; time < 2_000; time += 1) assert.deepEqual(detailsOf(item, parser), {});
    });
    assert.equal(log.length, 12);
  });

  it('tell what a session may do, when it last gave a sign of life, and how it has been', () => {
    const told = {
      reason: { code: 'banned', text: 'WhatsApp pidió esperar.', until: now + HOUR },
      restricted: { text: 'Restringida', until: now + HOUR },
      quota: { used: 97, total: 100 },
      lastSignal: now,
      stability: { days: 30, drops: 3, away: 5 },
    };
    assert.deepEqual(read({ ...told, quota: { ...told.quota, more: 1 } }), told);
    // By the browser's clock.
    const { reason, restricted, lastSignal } = detailsOf(told, createParser(t), HOUR) ?? {};
    assert.deepEqual([reason?.until, restricted?.until, lastSignal], [now, now, now - HOUR]);
    assert.equal(read({ restricted: { text: 'Restringida', until: 'x' } }).restricted?.until, undefined);
  });

  it('have the address of a passkey only where it is a web page', () => {
    const step = { step: 'sign', text: 'Confirma' };
    for (const url of [
      'javascript:alert(1)',
      'data:text/html,x',
      '/sign',
      `https://x/${'x'.repeat(2_000)}`,
      7,
    ])
      assert.deepEqual({ ...read({ passkey: { ...step, url } }).passkey }, { ...step, url: undefined });
  });

  it('of a wrong type change nothing in a push', () => {
    const push = createParser(t).push(`session:details:${numero}`, [
      { label: 7, since: 'x', group: 'Norte' },
    ]);
    assert.deepEqual(push, { type: 'details', numero, change: { group: 'Norte' } satisfies DetailsChange });
  });

  it('are cut at 60 characters, of which none is cut in two', () => {
    assert.equal(read({ label: 'ñ'.repeat(61) }).label, 'ñ'.repeat(60));
    assert.equal(read({ label: '😀'.repeat(61) }).label, '😀'.repeat(60));
    assert.equal(read({ label: 'x'.repeat(10_000_000) }).label, 'x'.repeat(60));
  });

  it('have no control or bidi characters, and one line', () => {
    const { label, group } = read({
      label: '\u202eVen\u0000tas\u2066\ud800\r\n\tNorte \u200f',
      group: '\u202e\n',
    });
    assert.equal(label, 'Ven tas Norte');
    assert.equal(group, undefined);
  });

  it('keep what a language or a picture needs', () => {
    const text = 'Añil 👩‍👩‍👧 ยอดขาย مبيعات';
    assert.equal(read({ label: text }).label, text);
  });

  it('have moments that a date can hold', () => {
    for (const since of [-1, 9e15, Number.NaN, true]) assert.deepEqual(read({ since }), {});
  });
});

describe("the server's clock", () => {
  const past = { at: now - 1, event: 'ready', state: 'CONNECTED' };

  /** A server whose clock is ahead by that, and the addresses that it was asked for. */
  function server(ahead: number | undefined) {
    const asked: string[] = [];
    const clock = () => Date.now() + (ahead ?? HOUR);
    const calls = overHttp(({ url }) => {
      asked.push(url);
      const headers: HeadersInit = ahead === undefined ? {} : { Date: new Date(clock()).toUTCString() };
      if (url.endsWith('/sessions')) {
        const item = {
          numero,
          state: 'CONNECTED',
          waiting: false,
          since: clock() - HOUR,
          codeExpires: clock() + 45_000,
        };
        return Response.json([item], { headers });
      }
      if (url.endsWith('/pairing')) return Response.json({ code: 'ABCD1234', expires: clock() + 60_000 });
      return Response.json([{ ...past, at: clock() - HOUR }]);
    });
    return { calls, asked };
  }
  const near = (value: number | undefined, expected: number) =>
    assert.ok(Math.abs((value ?? Number.NaN) - expected) <= 1_000, `${value}, not ${expected}`);

  for (const ahead of [HOUR, -HOUR]) {
    it(`may be ${ahead / HOUR} h ahead: moments are by the browser's`, async () => {
      const { calls, asked } = server(ahead);
      const { signal } = new AbortController();
      const [item] = await calls.list(signal);
      near(item?.details?.since, now - HOUR);
      near(item?.details?.codeExpires, now + 45_000);
      near((await calls.pair(numero, signal)).expires, now + 60_000);
      const page = await calls.history(numero, undefined, signal);
      near(joinPast([], withPage(undefined, page, 0))[0]?.at, now - HOUR);
      await calls.history(numero, page.entries[0]?.at, signal);
      assert.match(String(asked.at(-1)), new RegExp(`/history\\?limit=50&before=${now + ahead - HOUR}$`));
    });
  }

  it('is taken for the same where it says nothing of itself, or differs by a second', async () => {
    const silent = server(undefined);
    const [item] = await silent.calls.list(new AbortController().signal);
    assert.equal(item?.details?.since, now);
    const close = server(1_000);
    const [other] = await close.calls.list(new AbortController().signal);
    assert.equal(other?.details?.since, now + 1_000 - HOUR);
  });

  for (const date of ['-271821-04-20T00:00:00.000Z', '+275760-09-12T00:00:00.000Z']) {
    it(`may say anything of itself: moments stay dates: ${date}`, () => {
      const parser = createParser(t);
      for (const since of [0, 1, now, 8e15 - 1]) {
        const { since: read = Number.NaN } = detailsOf({ since }, parser, Date.parse(date) - now) ?? {};
        assert.doesNotThrow(() => new Date(read).toISOString(), `${since} was read as ${read}`);
      }
    });
  }

  it('leaves moments as they are while it goes on as before', async () => {
    const { calls } = server(HOUR);
    const since = async () => (await calls.list(new AbortController().signal))[0]?.details?.since;
    const first = await since();
    mock.timers.tick(700);
    assert.equal(await since(), (first ?? 0) + 700);
  });
});

describe('a history', () => {
  const entry = { at: 5, event: 'ready', state: 'CONNECTED' };
  const read = (answer: unknown) => createParser(t).history(answered(answer));

  it('has the entries that can be read, the newest first', () => {
    const reason = { detail: 'Se cerró\u202e', code: 'logged-out', by: 'gw-1' };
    assert.deepEqual(
      read([entry, { ...entry, at: 9, ...reason, more: 1 }, null, 7, { ...entry, at: 'x' }, { at: 3 }])
        .entries,
      [
        { ...entry, at: 9, detail: 'Se cerró', code: 'logged-out', by: 'gw-1' },
        { ...entry, detail: undefined, code: undefined, by: undefined },
      ],
    );
  });

  it('is cut at 200 entries', () => {
    const { entries, complete } = read(
      Array.from({ length: 100_000 }, (_, index) => ({ ...entry, at: 1e9 - index })),
    );
    assert.deepEqual([entries.length, entries[0]?.at, complete], [200, 1e9, false]);
  });

  it('goes on after a full page with an entry that is not understood', () => {
    const page = Array.from({ length: 50 }, (_, index) => ({
      ...entry,
      at: 1000 - index,
      event: index === 7 ? 7 : 'ready',
    }));
    const past = withPage(undefined, read(page), 0);
    assert.deepEqual([past.entries.length, past.complete], [49, false]);
    assert.equal(withPage(undefined, read(page.slice(1)), 0).complete, true);
  });

  it('ends with a full page of which nothing is understood', () =>
    assert.equal(withPage(undefined, read(Array(50).fill(7)), 0).complete, true));
});

describe('a link', () => {
  const call = 'https://portal.example/norte/api/session/5215550001111/link';
  const read = (url: unknown) =>
    createParser(t).link({ ...answered({ id: 'a1', url, expires: 5 }), url: call });

  it('is one of the web', () => {
    const { id, url, expires } = read('https://gateway.example/l/#x');
    assert.deepEqual([id, url, expires], ['a1', 'https://gateway.example/l/#x', 5]);
    for (const url of ['javascript:alert(1)', ' javascript:alert(1)', 'data:text/html,x', 'http://', 7, null])
      assert.throws(() => read(url), {
        message: 'El servidor respondió con datos que el panel no entiende.',
      });
  });

  it('is none without an id, by which it could be told from another one', () => {
    const body = { url: 'https://gateway.example/l/#x', expires: now };
    assert.throws(() => createParser(t).link({ ...answered(body), url: call }), {
      message: 'El servidor respondió con datos que el panel no entiende.',
    });
    logged(() => assert.deepEqual(detailsOf({ link: { expires: now } }), {}));
  });

  it("is over at a moment of the browser's clock, as in the details", () => {
    const parser = createParser(t);
    const expires = now + HOUR + 600_000;
    const answer = answered({ id: 'a1', url: 'https://gateway.example/l/#x', expires });
    assert.equal(detailsOf({ link: { id: 'a1', expires } }, parser, HOUR)?.link?.expires, now + 600_000);
    assert.equal(parser.link({ ...answer, url: call }).expires, now + 600_000);
  });

  it('is none where no address is that long', () =>
    assert.throws(() => read(`https://gateway.example/${'x'.repeat(5_000)}`)));

  it('may be relative to the call', () => {
    assert.equal(read('../../../l/#x').url, 'https://portal.example/norte/l/#x');
    assert.equal(read('/l/#x').url, 'https://portal.example/l/#x');
  });
});

describe("the page's labels", () => {
  it('are validated; what is invalid is logged in one line', () => {
    const labels = {
      [numero]: { label: 'Ventas\u202e', group: 'x'.repeat(61), more: 1 },
      2: { label: null, group: '' },
      3: 'Ventas',
      4: { label: 7, group: 'Norte' },
      5: null,
    };
    const log = logged(() =>
      assert.deepEqual(
        parseLabels(labels),
        new Map<string, unknown>([
          ['2', { label: undefined, group: '' }],
          ['3', { label: undefined, group: undefined }],
          ['4', { label: undefined, group: 'Norte' }],
          ['5', { label: undefined, group: undefined }],
          [numero, { label: 'Ventas', group: 'x'.repeat(60) }],
        ]),
      ),
    );
    assert.equal(log.length, 1);
    assert.match(String(log[0]), /3 4$/);
  });

  it('with a getter that throws are invalid, and the others count', () => {
    const throws = () => {
      throw new Error('no');
    };
    const labels = {
      1: { label: 'Ventas' },
      2: Object.defineProperty({}, 'label', { enumerable: true, get: throws }),
    };
    Object.defineProperty(labels, '3', { enumerable: true, get: throws });
    const log = logged(() =>
      assert.deepEqual(parseLabels(labels), new Map([['1', { label: 'Ventas', group: undefined }]])),
    );
    assert.equal(log.length, 1);
    assert.match(String(log[0]), /2 3$/);
  });

  it('are not used where they are no object', () => {
    for (const labels of ['Ventas', 7, true, () => {}, ['Ventas'], new Map(), Promise.resolve({})])
      assert.equal(logged(() => assert.equal(parseLabels(labels), undefined)).length, 1);
    assert.match(String(logged(() => parseLabels(new Map()))), /labels .*Map/);
    assert.deepEqual(
      logged(() => assert.equal(parseLabels(undefined), undefined)),
      [],
    );
  });
});
