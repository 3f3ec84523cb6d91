import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { describe, type TestContext, test } from 'node:test';
import { pino } from 'pino';
import { listening } from '../../../test/support/listening.ts';
import { mockTimers } from '../../../test/support/mock-timers.ts';
import { until } from '../../../test/support/until.ts';
import { type AskVersion, ClientVersion, isVersion, isWhatsapp } from '../../src/engines/whatsapp/version.ts';
import type { ConfirmedVersion } from '../../src/ledger/row.ts';
import { parseProxy } from '../../src/proxy/proxy.ts';
import { LOGIN, Proxies } from '../support/proxies.ts';
import { startEngine } from './support/engine-lab.ts';
import { NUMERO } from './support/lab.ts';

const HOUR = 60 * 60_000;
const DAY = 24 * HOUR;
const NOW = 1_800_000_000_000;

type Answer = Awaited<ReturnType<AskVersion>>;
const named = (revision: number): Answer => ({ version: [2, 3000, revision], isLatest: true });
const FAILED: Answer = {
  version: [2, 3000, 1],
  isLatest: false,
  error: new TypeError('fetch failed', { cause: Object.assign(new Error(), { code: 'ENOTFOUND' }) }),
};

interface Setting {
  readonly answers?: (Answer | Promise<Answer>)[];
  readonly stored?: ConfirmedVersion;
  readonly fixed?: string;
}

/** A version with WhatsApp's answers in turn, at a time that the test sets; the library's is 2.3000.10. */
function startVersion(t: TestContext, { answers = [], stored, fixed }: Setting = {}) {
  mockTimers(t.mock, { apis: ['Date', 'setTimeout'], now: NOW });
  t.mock.method(performance, 'now', () => Date.now());
  t.mock.method(Math, 'random', () => 1);
  const kept: ConfirmedVersion[] = stored ? [stored] : [];
  const printed: string[] = [];
  let asked = 0;
  const version = new ClientVersion({
    fixed,
    bundled: [2, 3000, 10],
    ask: async () => answers[asked++] ?? FAILED,
    store: {
      version: async () => kept.at(-1),
      keepVersion: async (confirmed) => void kept.push(confirmed),
    },
    log: pino({ level: 'warn' }, { write: (line: string) => printed.push(JSON.parse(line).msg) }),
  });
  t.after(() => version.close());
  return {
    version,
    kept,
    printed,
    asked: () => asked,
    /** Lets time pass, and what it has begun. */
    async pass(milliseconds: number) {
      t.mock.timers.tick(milliseconds);
      for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

describe('the version of WhatsApp Web', () => {
  test('is the one that WhatsApp names, and is kept', async (t) => {
    const { version, kept } = startVersion(t, { answers: [named(30)] });
    await version.start();
    assert.deepEqual(version.current, [2, 3000, 30]);
    assert.deepEqual(version.inUse, { version: '2.3000.30', source: 'whatsapp', confirmed: NOW });
    assert.deepEqual(kept, [{ version: '2.3000.30', confirmed: NOW }]);
  });

  for (const [revision, source] of [
    [20, 'store'],
    [9, 'library'],
  ] as const) {
    test(`is that of the ${source} without an answer, if it is the later one`, async (t) => {
      const { version } = startVersion(t, {
        stored: { version: `2.3000.${revision}`, confirmed: NOW - DAY },
      });
      await version.start();
      assert.equal(version.inUse.source, source);
    });
  }

  test('is the fixed one, and WhatsApp is never asked', async (t) => {
    const { version, asked, pass } = startVersion(t, { fixed: '2.3000.7', answers: [named(30)] });
    await version.start();
    await pass(2 * DAY);
    assert.equal(await version.replaces('2.3000.7'), false);
    assert.equal(version.inUse.version, '2.3000.7');
    assert.equal(version.mayBeOutdated, false);
    assert.equal(asked(), 0);
  });

  test('keeps the start waiting for a few seconds at most, and counts once it is there', async (t) => {
    let answer = (_: Answer) => {};
    const late = new Promise<Answer>((resolve) => {
      answer = resolve;
    });
    const { version, pass } = startVersion(t, { answers: [late] });
    const started = version.start();
    await pass(0);
    await pass(3_000);
    await started;
    assert.equal(version.inUse.source, 'library');
    answer(named(30));
    await pass(0);
    assert.equal(version.inUse.version, '2.3000.30');
  });

  test('is asked for once a day', async (t) => {
    const { version, asked, pass } = startVersion(t, { answers: [named(30), named(31)] });
    await version.start();
    await pass(DAY - 1);
    assert.equal(asked(), 1);
    await pass(1);
    assert.equal(version.inUse.version, '2.3000.31');
  });

  test('is asked for again after failures, at growing intervals, of which the log has one sentence', async (t) => {
    const { version, asked, pass, printed } = startVersion(t, { answers: [FAILED, FAILED, named(30)] });
    await version.start();
    await pass(10 * 60_000);
    assert.equal(asked(), 2);
    await pass(10 * 60_000);
    assert.equal(asked(), 2);
    await pass(10 * 60_000);
    assert.equal(version.inUse.version, '2.3000.30');
    assert.deepEqual(printed, [
      'WhatsApp did not say which version of WhatsApp Web is the current one (ENOTFOUND). The gateway presents ' +
        '2.3000.10, never confirmed, and asks again later. WhatsApp links no new phones to a version of some three months.',
    ]);
  });

  test('may be outdated 60 days after its confirmation, or if there was none', async (t) => {
    const { version, pass } = startVersion(t, { answers: [named(30)] });
    assert.equal(version.mayBeOutdated, true);
    await version.start();
    assert.equal(version.mayBeOutdated, false);
    for (let day = 0; day < 60; day++) await pass(DAY);
    assert.equal(version.mayBeOutdated, false);
    await pass(1);
    assert.equal(version.mayBeOutdated, true);
  });

  test('that was refused is asked for again at once, once for all sessions', async (t) => {
    const { version, asked } = startVersion(t, { answers: [named(30), named(31)] });
    await version.start();
    const replaced = await Promise.all([version.replaces('2.3000.30'), version.replaces('2.3000.30')]);
    assert.deepEqual(replaced, [true, true]);
    assert.equal(await version.replaces('2.3000.31'), false);
    assert.equal(asked(), 2);
  });

  test('leaves no timer and no request behind', async (t) => {
    const { version, asked, pass } = startVersion(t, { answers: [named(30)] });
    await version.start();
    version.close();
    await pass(2 * DAY);
    assert.equal(asked(), 1);
  });

  test('has three numbers that WhatsApp can read', () => {
    for (const text of ['2.3000.1042466098', '2.3000.4294967295']) assert.ok(isVersion(text), text);
    for (const text of ['', '2.3000', '2.3000.x', '2.3000.1.1', '2.3000.4294967296', '2.3000.-1'])
      assert.ok(!isVersion(text), text);
  });

  test('is asked for only if the phones connect to WhatsApp itself', () => {
    for (const url of [undefined, 'wss://web.whatsapp.com/ws/chat']) assert.ok(isWhatsapp(url), url);
    for (const url of ['ws://127.0.0.1:9/', 'wss://web.whatsapp.com.example/'])
      assert.ok(!isWhatsapp(url), url);
  });
});

describe('a client that WhatsApp refuses as outdated', () => {
  const PATIENCE = { patientFirst: HOUR, patientMost: HOUR };

  test('connects again soon with the version that WhatsApp names now', async (t) => {
    let revision = 1_000;
    const askVersion = async () => named(revision);
    const lab = await startEngine(t, { askVersion, timings: PATIENCE });
    await lab.link(NUMERO);
    lab.whatsapp.oldestRevision = 2_000;
    revision = 2_000;
    const { length } = lab.events(NUMERO);
    await lab.start(NUMERO);
    await until(() => lab.events(NUMERO).length >= length + 2, 'the login');
    assert.deepEqual(lab.events(NUMERO).slice(length), [
      { type: 'delayed', reason: 'outdated' },
      { type: 'ready' },
    ]);
    assert.deepEqual(
      [lab.whatsapp.versions[0], lab.whatsapp.versions.at(-1)],
      ['2.3000.1000', '2.3000.2000'],
    );
  });

  for (const kind of ['http', 'socks5'] as const) {
    test(`asks through the proxy of the session that was refused: ${kind}`, async (t) => {
      const seen: string[] = [];
      const page = createServer(({ socket }, answer) => {
        seen.push(socket.remoteAddress ?? '');
        answer.end();
      });
      const port = await listening(t, page);
      // As the library does, with Node's fetch: it does not reject either when the engine closes meanwhile.
      const askVersion: AskVersion = async (options) => {
        await fetch(`http://127.0.0.1:${port}/`, options).catch(() => {});
        return named(seen.length > 1 ? 2_000 : 1_000);
      };
      const proxy = await Proxies.start(t).open(kind, '127.0.0.13', LOGIN);
      const lab = await startEngine(t, { askVersion, timings: PATIENCE });
      await lab.start(NUMERO);
      lab.store.ownProxy = parseProxy(proxy.url);
      lab.whatsapp.oldestRevision = 2_000;
      lab.engine.reroute(NUMERO);
      await until(() => seen.length > 1, 'the second question');
      assert.deepEqual(seen, ['127.0.0.1', '127.0.0.13']);
    });
  }

  test('is told again if it is still refused through another proxy', async (t) => {
    const lab = await startEngine(t, { timings: PATIENCE });
    lab.whatsapp.refuseEverybody(405);
    await lab.start(NUMERO);
    const before = await lab.last(NUMERO, 'delayed');
    lab.engine.reroute(NUMERO);
    assert.equal((await lab.last(NUMERO, 'delayed', before)).reason, 'outdated');
  });

  test('is not mistaken for one whose codes nobody scans, if WhatsApp says 408', async (t) => {
    const lab = await startEngine(t, { timings: PATIENCE });
    lab.whatsapp.refuseEverybody(408);
    await lab.start(NUMERO);
    assert.equal((await lab.last(NUMERO, 'delayed')).reason, 'outdated');
  });

  test('may be why nobody has scanned, if its version was never confirmed', async (t) => {
    const timings = { code: 200 };
    const lab = await startEngine(t, { askVersion: async () => FAILED, timings });
    await lab.start(NUMERO);
    assert.deepEqual(await lab.last(NUMERO, 'qr_timeout'), { type: 'qr_timeout', reason: 'outdated' });
  });

  test('is not why nobody has scanned, if its version was confirmed', async (t) => {
    const lab = await startEngine(t, { askVersion: async () => named(1_000), timings: { code: 200 } });
    await lab.start(NUMERO);
    assert.deepEqual(await lab.last(NUMERO, 'qr_timeout'), { type: 'qr_timeout' });
  });
});
