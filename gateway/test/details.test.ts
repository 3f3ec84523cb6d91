import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { STATES } from '../../src/wire.ts';
import type { Profile, StoredLink } from '../src/ledger/archive.ts';
import { StoreError } from '../src/ledger/store-error.ts';
import type { ProxyServer } from '../src/proxy/proxy.ts';
import type { Delivery, Engine, Pairing, Report } from '../src/sessions/engine.ts';
import { tokenHash } from '../src/sessions/links.ts';
import { namingProblem } from '../src/sessions/naming.ts';
import { call, startGateway } from './support/gateway.ts';
import { MemoryLedger } from './support/memory-ledger.ts';
import { createRegistry } from './support/registry.ts';

const NUMERO = '5215550001111';
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** An engine whose reports the test makes, and that gives no code to type. */
class PlayedEngine implements Engine {
  report: Report = () => {};
  /** Whether there is a session to restore, which no phone is linked to. */
  isDown = false;
  restore(resume: (numero: string) => Report) {
    if (this.isDown) resume(NUMERO)({ type: 'disconnected' });
  }
  close() {}
  async resume() {}
  async release() {}
  async start(_numero: string, report: Report) {
    this.report = report;
  }
  async remove() {}
  async unlink() {}
  /** How often it was asked for a code to type. */
  pairings = 0;
  pair(): Promise<Pairing> {
    this.pairings += 1;
    return new Promise(() => {});
  }
  async send(): Promise<Delivery> {
    return 'sent';
  }
  /** Ends the tests of proxies, the last one first. */
  readonly proxyTests: (() => void)[] = [];
  testProxy({ host }: ProxyServer): Promise<string> {
    return new Promise((resolve) => this.proxyTests.unshift(() => resolve(`exit of ${host}`)));
  }
}

async function started(archive = new MemoryLedger()) {
  const engine = new PlayedEngine();
  const sessions = createRegistry(engine, archive);
  await archive.add(NUMERO);
  await sessions.start(NUMERO);
  return { engine, sessions };
}

/** Refuses links once its disk is full. */
class FullArchive extends MemoryLedger {
  isFull = false;
  override async setLink(numero: string, link: StoredLink | undefined): Promise<void> {
    if (this.isFull) throw new StoreError('write-archive', numero, 'SQLITE_FULL');
    await super.setLink(numero, link);
  }
}

/** Writes as a database does: later. */
class SlowArchive extends MemoryLedger {
  readonly #waiting: (() => void)[] = [];
  override async describe(numero: string, profile: Profile): Promise<void> {
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
    await super.describe(numero, profile);
  }
  async write(): Promise<void> {
    while (this.#waiting.length > 0) {
      this.#waiting.shift()?.();
      await turn();
    }
  }
}

describe('a link', () => {
  test('lets nobody in any more once a phone is linked, though that cannot be written', async () => {
    const archive = new FullArchive();
    const { sessions, engine } = await started(archive);
    const { token } = await sessions.createLink(NUMERO);
    archive.isFull = true;
    engine.report({ type: 'ready' });
    await turn();
    assert.equal(await sessions.linked(tokenHash(token)), undefined);
  });

  test('is revoked at once, although WhatsApp takes its time for a code', async () => {
    const { sessions } = await started();
    const { token } = await sessions.createLink(NUMERO);
    void sessions.pair(NUMERO);
    await turn();
    await sessions.revokeLink(NUMERO);
    assert.equal(await sessions.linked(tokenHash(token)), undefined);
  });
});

describe('a code to type', () => {
  test('is asked for once until it comes, and anew after a start', async () => {
    const { sessions, engine } = await started();
    for (let times = 0; times < 18; times++) void sessions.pair(NUMERO);
    assert.equal(engine.pairings, 1);
    engine.report({ type: 'qr', code: 'A' });
    await sessions.start(NUMERO);
    void sessions.pair(NUMERO);
    assert.equal(engine.pairings, 2);
  });
});

describe('the reason of a session that is down', () => {
  test('stays over a restart, with its time', async () => {
    const archive = new MemoryLedger();
    const reason = { code: 'logged-out', text: 'WhatsApp cerró la sesión.' };
    const fall = { at: Date.now() - 1_000, event: 'disconnected', state: STATES.disconnected };
    const entry = { ...fall, code: reason.code, detail: reason.text };
    await archive.add(NUMERO);
    await archive.record([{ numero: NUMERO, entry }]);
    const engine = new PlayedEngine();
    engine.isDown = true;
    const sessions = createRegistry(engine, archive);
    await sessions.restore();
    assert.deepEqual(sessions.list(), [
      { numero: NUMERO, state: STATES.disconnected, waiting: false, since: entry.at, reason },
    ]);
  });
});

describe('a name', () => {
  test('that an operator gives while the account tells its own stays', async () => {
    const archive = new SlowArchive();
    const { sessions, engine } = await started(archive);
    const described = sessions.describe(NUMERO, { label: 'Ventas' });
    await turn();
    engine.report({ type: 'name', name: 'Tienda' });
    await archive.write();
    await described;
    assert.deepEqual(archive.profile(NUMERO), { label: 'Ventas', name: 'Tienda' });
  });
});

describe('a proxy', () => {
  const endTests = async (engine: PlayedEngine) => {
    do {
      for (const end of engine.proxyTests.splice(0)) end();
      await turn();
    } while (engine.proxyTests.length > 0);
  };

  test('that replaces another at the same time has its own exit, and the later one stays', async () => {
    const { sessions, engine } = await started();
    const answers = Promise.all(
      ['http://one:1', 'http://two:2'].map((proxy) => sessions.describe(NUMERO, { proxy })),
    );
    await endTests(engine);
    const sides = (await answers).map(({ proxy, exit }) => [proxy, exit]);
    assert.deepEqual(sides, [
      ['one:1', 'exit of one'],
      ['two:2', 'exit of two'],
    ]);
    const [session] = sessions.list();
    assert.deepEqual([session?.proxy, session?.exit], sides[1]);
  });

  test('stays as it is if the names that come with it cannot be stored', async () => {
    const archive = new MemoryLedger();
    const { sessions, engine } = await started(archive);
    archive.describe = async () => {
      throw new StoreError('write-archive', NUMERO, '22P05');
    };
    const described = sessions.describe(NUMERO, { label: 'Ventas', proxy: 'http://one:1' });
    const failed = assert.rejects(described, StoreError);
    await endTests(engine);
    await failed;
    assert.equal(archive.proxy(NUMERO), undefined);
    assert.equal(sessions.list()[0]?.proxy, undefined);
  });
});

describe('a page of another origin', () => {
  test('may read the clock of the gateway', async (t) => {
    const origin = 'http://panel.example';
    const gateway = await startGateway(t, { allowOrigins: [origin] });
    const { headers } = await call(gateway, '/api/session/sessions', { headers: { Origin: origin } });
    assert.match(headers.get('access-control-expose-headers') ?? '', /\bdate\b/i);
  });
});

describe('a label', () => {
  test('is counted as it is stored', () => {
    assert.equal(namingProblem({ label: 'n\u0303'.repeat(60) }), undefined);
    assert.equal(namingProblem({ label: `Tienda${' '.repeat(60)}Norte` }), undefined);
    // Each is two characters in the form that is stored.
    assert.notEqual(namingProblem({ group: '\ufb2a'.repeat(31) }), undefined);
  });

  test('is stored with its spaces in one form', async () => {
    const archive = new MemoryLedger();
    const { sessions } = await started(archive);
    await sessions.describe(NUMERO, { label: ' Tienda \u00a0\u3000Norte\u2800', group: 'Piso\u20031ª' });
    assert.deepEqual(archive.profile(NUMERO), { label: 'Tienda Norte', group: 'Piso 1ª' });
  });

  for (const label of ['\u200b', '\u2060\u200d', '\u00ad', '\u3164', '\u2800'])
    test(`that nobody can see is none: ${JSON.stringify(label)}`, async () => {
      assert.notEqual(namingProblem({ label }), undefined);
    });
});
