import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import { pino } from 'pino';
import { STATES } from '../../../src/wire.ts';
import { PLAIN } from '../../src/ledger/cipher.ts';
import type { Sql } from '../../src/ledger/database.ts';
import { Ledger } from '../../src/ledger/ledger.ts';
import { Postgres } from '../../src/ledger/postgres.ts';
import { Channel, ChannelStore, type NotificationOutcome } from '../../src/notify/channel.ts';
import type { Situation } from '../../src/notify/channel-state.ts';
import { type Messenger, Undelivered } from '../../src/notify/messenger.ts';
import type { Notification } from '../../src/notify/notification.ts';
import { memberOf } from '../cluster/support/member.ts';
import { startTables } from '../cluster/support/tables.ts';
import { NUMERO } from '../support/gateway.ts';

const SECOND = 1_000;

/** A number that needs a person, at a time in milliseconds. */
const fallenAt = (now: number): Situation => ({
  sessions: [{ numero: NUMERO, state: STATES.disconnected, waiting: false }],
  incidents: new Map([[NUMERO, { kind: 'unlinked', since: 0 }]]),
  now,
});

/** A time at which everything was long ago. */
const START = Date.now();

/** The channel of one of several gateways, whose messenger delivers at once, or when the test says so. */
class Teller implements Messenger {
  readonly name = 'webhook';
  readonly interval = 0;
  readonly isRepeatable: boolean;
  readonly begun: Notification[] = [];
  readonly outcomes: NotificationOutcome[] = [];
  readonly #channel: Channel;
  #isHeld = false;
  #end: { readonly resolve: () => void; readonly reject: (error: Error) => void } | undefined;

  constructor(sql: Sql, { isRepeatable }: { readonly isRepeatable: boolean }) {
    this.isRepeatable = isRepeatable;
    const member = memberOf(sql, randomUUID());
    const ledger = new Ledger(new Postgres(() => member), { cipher: PLAIN, print: assert.fail });
    const log = pino({ enabled: false });
    this.#channel = new Channel({
      messenger: this,
      groupWait: 0,
      interval: 0,
      store: new ChannelStore(() => ledger, this.name, log),
      observe: (outcome) => this.outcomes.push(outcome),
      log,
    });
  }

  isReady(): boolean {
    return true;
  }

  async deliver(notification: Notification): Promise<void> {
    this.begun.push(notification);
    if (!this.#isHeld) return;
    await new Promise<void>((resolve, reject) => {
      this.#end = { resolve, reject };
    });
  }

  arrive(): void {
    this.#end?.resolve();
  }

  fail(): void {
    this.#end?.reject(new Undelivered('HTTP_503'));
  }

  /** Looks at the numbers some time after the start. Resolves when what is due is done. */
  look(seconds: number): Promise<void> {
    this.#channel.proceed(fallenAt(START + seconds * SECOND));
    return this.#channel.settled();
  }

  /** Begins an attempt some time after the start. Resolves, while it is under way, with what ends with it. */
  async begin(seconds: number): Promise<{ readonly ended: Promise<void> }> {
    const before = this.begun.length;
    this.#isHeld = true;
    const ended = this.look(seconds);
    while (this.begun.length === before) await new Promise(setImmediate);
    return { ended };
  }
}

for (const isRepeatable of [true, false]) {
  describe(`a notification that ${isRepeatable ? 'can' : 'cannot'} be sent again`, () => {
    for (const [when, looks] of [
      // Connecting and the answer may take 15 s each, and a message 20 s after those before it.
      ['however long that takes', [0, 10, 25, 45, 46]],
      ['by one whose clock is an hour ahead', [3_600, 3_625, 3_626]],
    ] as const) {
      test(`is left to the gateway that delivers it, ${when}`, async (t) => {
        const { sql } = await startTables(t);
        const [first, second] = [new Teller(sql, { isRepeatable }), new Teller(sql, { isRepeatable })];
        const { ended } = await first.begin(0);
        for (const seconds of looks.slice(0, -1)) await second.look(seconds);
        first.arrive();
        await ended;
        for (const seconds of looks.slice(-1)) await second.look(seconds);
        assert.equal(first.begun.length, 1);
        assert.deepEqual(second.begun, []);
        assert.deepEqual([first.outcomes, second.outcomes], [['delivered'], []]);
      });
    }

    test('is tried again soon, by whichever gateway, after it has failed', async (t) => {
      const { sql } = await startTables(t);
      const [first, second] = [new Teller(sql, { isRepeatable }), new Teller(sql, { isRepeatable })];
      const { ended } = await first.begin(0);
      first.fail();
      await ended;
      await second.look(15);
      assert.equal(second.begun.length, 0);
      await second.look(21);
      assert.equal(second.begun[0]?.id, first.begun[0]?.id);
      assert.deepEqual([first.outcomes, second.outcomes], [['failed'], ['delivered']]);
    });
  });
}

test('gateways that look at the same time tell once', async (t) => {
  const { sql } = await startTables(t);
  const gateways = Array.from({ length: 4 }, () => new Teller(sql, { isRepeatable: false }));
  await Promise.all(gateways.map((gateway) => gateway.look(0)));
  for (const gateway of gateways) await gateway.look(1);
  assert.equal(gateways.flatMap(({ begun }) => begun).length, 1);
  assert.deepEqual(
    gateways.flatMap(({ outcomes }) => outcomes),
    ['delivered'],
  );
});
