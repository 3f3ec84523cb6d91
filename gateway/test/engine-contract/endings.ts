import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { type Bench, type Hearing, isConnected, timers } from './bench.ts';
import type { Contract } from './contract.ts';
import type { StopAbility } from './lab.ts';

const UNLINKED = { type: 'disconnected', reason: 'unlinked' };

/** Why WhatsApp ends a session, and what the session does until then. */
const STOPS: readonly { readonly reason: StopAbility; readonly while: 'scanning' | 'connected' }[] = [
  { reason: 'passkey', while: 'scanning' },
  { reason: 'restricted', while: 'connected' },
  { reason: 'replaced', while: 'connected' },
];

/**
 * How long a connection may take to end when it is closed, in milliseconds, in looks: they stand still with this process,
 * as the connection does.
 */
const GOODBYE = 1_000;
const LOOK = 10;

async function loseLine(bench: Bench, hearing: Hearing): Promise<void> {
  const { length } = hearing;
  await bench.lab.loseLine(hearing.numero);
  await hearing.next('state', length);
}

export function endingPromises({ promise }: Contract): void {
  promise(
    'a phone that unlinks is reported as disconnected, once, and a start needs a code',
    async (bench) => {
      const hearing = await bench.link();
      const { length, numero } = hearing;
      await bench.lab.logOut(numero);
      const { reason } = await hearing.next('disconnected');
      await bench.settle();
      // Not every server tells why, or that it was the phone.
      const reasons = ['logged-out', 'device-removed', 'connection-lost'];
      assert.ok(reason && reasons.includes(reason), `it reported ${reason}`);
      hearing.mustBe([`disconnected ${reason}`], length);
      await bench.mustNeedCode(numero);
    },
  );

  promise('a lost line is a state, and then ready', async (bench) => {
    const hearing = await bench.link();
    const { length } = hearing;
    await loseLine(bench, hearing);
    await bench.lab.recoverLine(hearing.numero);
    await hearing.connected(length);
    await bench.settle();
    const [lost = '', back = '', ...more] = hearing.words(length);
    assert.match(lost, /^state (?!CONNECTED)/);
    assert.ok(isConnected(back), `it reported ${back} instead of ready, or the state CONNECTED`);
    assert.deepEqual(more, []);
  });

  promise('a session whose line is lost connects without a code when it is started', async (bench) => {
    const hearing = await bench.link();
    await loseLine(bench, hearing);
    const again = await bench.start(hearing.numero);
    await bench.lab.recoverLine(hearing.numero);
    await again.connected(0);
    assert.deepEqual(again.all('qr'), []);
  });

  promise(
    'a name is reported when it is known and when it changes, not each time it is heard',
    async (bench) => {
      const hearing = await bench.link();
      const { length } = hearing;
      await loseLine(bench, hearing);
      await bench.lab.recoverLine(hearing.numero);
      await hearing.connected(length);
      await bench.settle();
      const names = hearing.all('name').map(({ name }) => name);
      assert.equal(new Set(names).size, names.length, `it reported ${names.join(', ')}`);
    },
  );

  for (const { reason, while: when } of STOPS) {
    promise(
      `a session that WhatsApp ends is stopped ${reason}, once, and can be started`,
      async (bench) => {
        const hearing = when === 'connected' ? await bench.link() : await bench.start(bench.numero());
        const code = await hearing.code();
        const { length, numero } = hearing;
        assert.ok(bench.lab.stop, 'the lab has no stop');
        await bench.lab.stop(numero, reason, code);
        // An engine may say why a passkey failed.
        const stopped = { ...(await hearing.next('stopped')), cause: undefined };
        assert.deepEqual(stopped, { type: 'stopped', reason, cause: undefined });
        await bench.settle();
        hearing.mustBe([`stopped ${reason}`], length);
        const again = await bench.start(numero);
        await bench.until(() => again.story().length > 0, 'a report on the new start');
        assert.match(again.story()[0] ?? '', /^(qr|ready)$/);
      },
      reason,
    );
  }

  promise(
    'unlink removes the device, reports disconnected as unlinked, once, and leaves the session',
    async (bench) => {
      const hearing = await bench.link();
      const { length, numero } = hearing;
      await bench.engine.unlink(numero);
      assert.equal(await bench.lab.isLinked(numero), false, 'the phone still shows the device');
      assert.deepEqual(await hearing.next('disconnected'), UNLINKED);
      await bench.settle();
      hearing.mustBe(['disconnected unlinked'], length);
      await bench.link(numero);
    },
    'unlink',
  );

  promise(
    'unlink of one not linked rejects with NotLinked',
    async (bench) => {
      const refused = { name: 'NotLinked' };
      await assert.rejects(bench.engine.unlink(bench.numero()), refused, 'an unknown numero');
      const hearing = await bench.start(bench.numero());
      const code = await hearing.code();
      await assert.rejects(bench.engine.unlink(hearing.numero), refused, 'a session with a code');
      hearing.mustBe(['qr']);
      await bench.lab.scan(hearing.numero, code);
      await hearing.next('ready');
      await bench.engine.unlink(hearing.numero);
      await assert.rejects(bench.engine.unlink(hearing.numero), refused, 'a session that is unlinked');
    },
    'unlink',
  );

  promise('remove of an unknown numero does nothing', async (bench) => {
    const hearing = await bench.link();
    const { length } = hearing;
    await bench.engine.remove(bench.numero());
    await bench.settle();
    hearing.mustBe([], length);
  });

  promise('remove unlinks a session, and a start needs a code', async (bench) => {
    const { numero } = await bench.link();
    await bench.engine.remove(numero);
    assert.equal(await bench.lab.isLinked(numero), false, 'the phone still shows the device');
    await bench.mustNeedCode(numero);
  });

  promise(
    'a session that is removed while it shows a code cannot be linked, and reports no more codes',
    async (bench) => {
      const hearing = await bench.start(bench.numero());
      const code = await hearing.code();
      await bench.engine.remove(hearing.numero);
      const codes = hearing.all('qr').length;
      await assert.rejects(async () => bench.lab.scan(hearing.numero, code), 'the phone could scan the code');
      await bench.settle();
      assert.equal(hearing.all('qr').length, codes, 'it reported another code');
      await bench.mustNeedCode(hearing.numero);
    },
  );

  promise('nothing is reported after close', async (bench) => {
    const linked = await bench.link();
    const scanning = await bench.start(bench.numero());
    await scanning.code();
    await bench.engine.close();
    const lengths = [linked.length, scanning.length];
    await bench.lab.logOut(linked.numero);
    assert.equal(await bench.lab.isLinked(linked.numero), false);
    assert.deepEqual([linked.length, scanning.length], lengths, 'it reported something');
  });

  promise('close leaves no timer behind', async (bench) => {
    const hearing = await bench.link();
    await bench.start(bench.numero()).then((scanning) => scanning.code());
    await bench.send(hearing.numero, '34600000000');
    await loseLine(bench, hearing);
    await bench.engine.close();
    const left = () => timers() - bench.timers;
    for (let time = 0; left() > 0 && time < GOODBYE; time += LOOK) await wait(LOOK);
    assert.ok(left() <= 0, `${left()} timers are left`);
  });
}
