import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MemoryLedger } from '../support/memory-ledger.ts';
import { ChannelLab, connected, fallen, HOUR, MINUTE, numeroOf, SECOND } from './support/channel-lab.ts';

const [ONE, OTHER] = [numeroOf(1), numeroOf(2)];

/** A receiver that is not there. */
const fail = () => Promise.reject(Object.assign(new Error(), { code: 'ECONNREFUSED' }));

/** A lab whose one session has fallen, and that has told it. */
async function toldLab(options?: ConstructorParameters<typeof ChannelLab>[0]): Promise<ChannelLab> {
  const lab = new ChannelLab(options);
  lab.sessions = [connected(ONE)];
  await lab.pass(MINUTE);
  lab.sessions = [fallen(ONE, 'unreachable', lab.now)];
  await lab.pass(5 * MINUTE);
  return lab;
}

describe('a number that falls', () => {
  it('is told once, and once more when it is back', async () => {
    const lab = await toldLab();
    lab.sessions = [connected(ONE)];
    await lab.pass(5 * HOUR);
    assert.deepEqual(lab.told, [[`${ONE} away`], [`${ONE} back`]]);
    assert.deepEqual(lab.outcomes, ['delivered', 'delivered']);
  });

  it('is not told when it is back in time', async () => {
    const lab = new ChannelLab();
    for (let round = 0; round < 20; round += 1) {
      lab.sessions = [connected(ONE)];
      await lab.pass(MINUTE);
      lab.sessions = [fallen(ONE, 'connection-lost', lab.now)];
      await lab.pass(MINUTE);
    }
    assert.deepEqual(lab.told, []);
  });

  it('again and again is told once an hour', async () => {
    const lab = new ChannelLab();
    for (let round = 0; round < 18; round += 1) {
      lab.sessions = [connected(ONE)];
      await lab.pass(5 * MINUTE);
      lab.sessions = [fallen(ONE, 'unreachable', lab.now)];
      await lab.pass(5 * MINUTE);
    }
    const round = [[`${ONE} away`], [`${ONE} back`]];
    assert.deepEqual(lab.told, [...round, ...round, ...round]);
  });

  it('and then needs a person is told again', async () => {
    const lab = await toldLab();
    lab.sessions = [fallen(ONE, 'logged-out', lab.now)];
    await lab.pass(5 * MINUTE);
    assert.deepEqual(lab.told, [[`${ONE} away`], [`${ONE} unlinked`]]);
  });

  it('after it was restricted is told again', async () => {
    const lab = new ChannelLab();
    lab.sessions = [{ ...connected(ONE), restricted: { text: 'Restringida' } }];
    await lab.pass(2 * HOUR);
    lab.sessions = [fallen(ONE, 'unreachable', lab.now)];
    await lab.pass(5 * MINUTE);
    assert.deepEqual(lab.told, [[`${ONE} restricted`], [`${ONE} away`]]);
  });

  it('and is deleted is not told to be back', async () => {
    const lab = await toldLab();
    lab.sessions = [];
    await lab.pass(25 * HOUR);
    assert.deepEqual(lab.told, [[`${ONE} away`]]);
  });
});

describe('many numbers', () => {
  it('that fall within seconds are one notification: a thousand too', async () => {
    const lab = new ChannelLab();
    const numeros = Array.from({ length: 1_000 }, (_, index) => numeroOf(index));
    lab.sessions = [...numeros, '34600111222'].map(connected);
    await lab.pass(MINUTE);
    lab.sessions = [
      ...numeros.map((numero) => fallen(numero, 'unreachable', lab.now)),
      connected('34600111222'),
    ];
    await lab.pass(10 * MINUTE);
    const [{ counts, total, items } = assert.fail(), ...others] = lab.attempts;
    assert.deepEqual([counts, total, items.length, others.length], [{ away: 1_000 }, 1_001, 100, 0]);
  });

  it('that fall later are told by the next one, a minute later', async () => {
    const lab = new ChannelLab();
    lab.sessions = [connected(ONE), connected(OTHER)];
    await lab.pass(MINUTE);
    lab.sessions = [fallen(ONE, 'logged-out', lab.now), connected(OTHER)];
    await lab.pass(20 * SECOND);
    lab.sessions = [fallen(ONE, 'logged-out', lab.now), fallen(OTHER, 'logged-out', lab.now)];
    await lab.pass(40 * SECOND);
    assert.deepEqual(lab.told, [[`${ONE} unlinked`]]);
    await lab.pass(30 * SECOND);
    assert.deepEqual(lab.told, [[`${ONE} unlinked`], [`${OTHER} unlinked`]]);
  });
});

describe('a messenger that can tell nothing for now', () => {
  it('tells later what is still so', async () => {
    const lab = new ChannelLab();
    lab.isReady = false;
    lab.sessions = [fallen(ONE, 'logged-out', lab.now), fallen(OTHER, 'logged-out', lab.now)];
    await lab.pass(HOUR);
    lab.sessions = [connected(ONE), fallen(OTHER, 'logged-out', lab.now)];
    lab.isReady = true;
    await lab.pass(HOUR);
    assert.deepEqual(lab.told, [[`${OTHER} unlinked`]]);
  });
});

describe('a receiver that fails', () => {
  it('for a day gets the notification in the end, always the same', async () => {
    const lab = new ChannelLab();
    lab.receive = fail;
    lab.sessions = [fallen(ONE, 'logged-out', lab.now)];
    await lab.pass(24 * HOUR);
    assert.ok(lab.attempts.length > 90 && lab.attempts.length < 110, `${lab.attempts.length} attempts`);
    lab.receive = () => {};
    await lab.pass(HOUR);
    assert.equal(new Set(lab.attempts.map(({ id }) => id)).size, 1);
    assert.equal(lab.outcomes.filter((outcome) => outcome === 'delivered').length, 1);
  });

  it('for two days never gets it: a line says so, and the next one goes out', async () => {
    const lab = new ChannelLab();
    lab.receive = fail;
    lab.sessions = [fallen(ONE, 'logged-out', lab.now), connected(OTHER)];
    await lab.pass(49 * HOUR);
    assert.equal(lab.outcomes.filter((outcome) => outcome === 'given-up').length, 1);
    const [given] = lab.lines.filter((line) => line.includes('given up'));
    assert.match(given ?? '', /"level":50,.*msg_.*"unlinked":1/);
    lab.receive = () => {};
    lab.sessions = [fallen(ONE, 'logged-out', lab.now), fallen(OTHER, 'logged-out', lab.now)];
    await lab.pass(2 * MINUTE);
    assert.deepEqual(lab.told.at(-1), [`${OTHER} unlinked`]);
  });

  it('is waited for longer after each failure', async () => {
    const lab = new ChannelLab();
    lab.receive = fail;
    lab.sessions = [fallen(ONE, 'logged-out', lab.now)];
    const moments: number[] = [];
    lab.receive = () => {
      moments.push(lab.now);
      return fail();
    };
    await lab.pass(HOUR);
    const waits = moments.slice(1).map((moment, index) => (moment - (moments[index] ?? 0)) / SECOND);
    assert.deepEqual(waits, [20, 60, 300, 900, 900, 900]);
  });
});

describe('a store', () => {
  it('that is damaged is begun anew, and a line says so', async () => {
    const ledger = new MemoryLedger();
    await ledger.replaceTold('webhook', '{', undefined);
    const lab = new ChannelLab({ ledger });
    lab.sessions = [fallen(ONE, 'logged-out', 0)];
    await lab.pass(HOUR);
    assert.deepEqual(lab.told, [[`${ONE} unlinked`]]);
    assert.equal(lab.lines.filter((line) => line.includes('damaged')).length, 1);
  });
});

describe('two gateways with one store', () => {
  it('tell everything once, in turn', async () => {
    const ledger = new MemoryLedger();
    const labs = [new ChannelLab({ ledger }), new ChannelLab({ ledger })];
    const sessions = [fallen(ONE, 'logged-out', 0), fallen(OTHER, 'banned', 0)];
    for (const lab of labs) lab.sessions = sessions;
    for (let look = 0; look < 200; look += 1) for (const lab of labs) await lab.pass(5 * SECOND);
    assert.deepEqual(
      labs.flatMap(({ told }) => told),
      [[`${ONE} unlinked`, `${OTHER} blocked`]],
    );
  });

  for (const [isRepeatable, outcomes] of [
    [true, ['delivered']],
    [false, ['given-up']],
  ] as const) {
    it(`of which one ends while it tries ${isRepeatable ? 'repeat what the receiver can recognize' : 'repeat nothing else, and say so'}`, async () => {
      const ledger = new MemoryLedger();
      const [killed, other] = [
        new ChannelLab({ ledger, isRepeatable }),
        new ChannelLab({ ledger, isRepeatable }),
      ];
      for (const lab of [killed, other]) lab.sessions = [fallen(ONE, 'logged-out', 0)];
      const hung = new Promise<void>((resolve) => {
        killed.receive = () => {
          resolve();
          return new Promise(() => {});
        };
      });
      void killed.pass(MINUTE);
      await hung;
      other.now = killed.now;
      await other.pass(2 * HOUR);
      assert.deepEqual(other.outcomes, outcomes);
      assert.deepEqual(
        other.attempts.map(({ id }) => id),
        isRepeatable ? killed.attempts.map(({ id }) => id) : [],
      );
      assert.equal(
        other.lines.some((line) => line.includes('is not known')),
        !isRepeatable,
      );
    });
  }
});

describe('a clock that is set back by a year', () => {
  const YEAR = 365 * 24 * HOUR;

  it('delays no notification', async () => {
    const lab = await toldLab();
    lab.now -= YEAR;
    lab.sessions = [connected(ONE)];
    await lab.pass(5 * MINUTE);
    lab.sessions = [fallen(ONE, 'unreachable', lab.now)];
    await lab.pass(5 * MINUTE);
    assert.deepEqual(lab.told, [[`${ONE} away`], [`${ONE} back`], [`${ONE} away`]]);
  });

  it('while a number is away does not hide that', async () => {
    const lab = new ChannelLab();
    lab.sessions = [connected(ONE)];
    await lab.pass(MINUTE);
    lab.sessions = [fallen(ONE, 'unreachable', lab.now)];
    await lab.pass(MINUTE);
    lab.now -= YEAR;
    await lab.pass(5 * MINUTE);
    assert.deepEqual(lab.told, [[`${ONE} away`]]);
  });

  it('while a notification waits does not hold it up', async () => {
    const lab = new ChannelLab();
    lab.receive = fail;
    lab.sessions = [fallen(ONE, 'logged-out', lab.now)];
    await lab.pass(HOUR);
    lab.receive = () => {};
    lab.now -= YEAR;
    await lab.pass(HOUR);
    assert.equal(lab.outcomes.at(-1), 'delivered');
  });

  it('while news are grouped does not hold them up', async () => {
    const lab = new ChannelLab();
    lab.sessions = [fallen(ONE, 'logged-out', lab.now)];
    await lab.pass(5 * SECOND);
    lab.now -= YEAR;
    await lab.pass(MINUTE);
    assert.deepEqual(lab.told, [[`${ONE} unlinked`]]);
  });
});
