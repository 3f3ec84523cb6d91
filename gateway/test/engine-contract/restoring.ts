import assert from 'node:assert/strict';
import type { Contract } from './contract.ts';

export function restoringPromises({ promise }: Contract): void {
  promise(
    'restore lists existing sessions before it resolves, each once, and then reports',
    async (bench) => {
      const linked = await bench.link();
      const scanning = await bench.start(bench.numero());
      await scanning.code();
      await bench.restart();
      const [again, other] = [bench.theResumed(linked.numero), bench.theResumed(scanning.numero)];
      await again.next('ready');
      await bench.until(() => other.story().length > 0, 'a report on the session that is not linked');
      await bench.settle();
      again.mustBe(['ready']);
      assert.match(
        other.story().join(),
        /^(qr|disconnected)$/,
        'a session that is not linked shows a code or is off',
      );
      bench.theResumed(linked.numero);
      bench.theResumed(scanning.numero);
    },
    'keeps',
  );

  promise(
    'a restored session can send, and be started without a code',
    async (bench) => {
      const { numero } = await bench.link();
      await bench.restart();
      await bench.theResumed(numero).next('ready');
      assert.equal((await bench.send(numero, bench.number())).delivery, 'sent');
      const again = await bench.start(numero);
      await again.next('ready');
      again.mustBe(['ready']);
    },
    'keeps',
  );

  promise(
    'restore does not list what was removed, and connects nothing that was unlinked',
    async (bench) => {
      const { numero: removed } = await bench.link();
      const { numero: unlinked } = await bench.link();
      await bench.engine.remove(removed);
      await bench.engine.unlink(unlinked);
      await bench.restart();
      await bench.settle();
      const listed = bench.resumed.map(({ numero }) => numero);
      assert.ok(!listed.includes(removed), 'it listed a session that was removed');
      assert.deepEqual(bench.theResumed(unlinked).all('ready'), []);
      await bench.mustNeedCode(unlinked);
    },
    'keeps',
    'unlink',
  );

  promise(
    'a session is released without a report, stays linked, and connects when it is resumed',
    async (bench) => {
      const { engine } = bench;
      const hearing = await bench.link();
      const { length, numero } = hearing;
      await engine.release?.(numero);
      await bench.settle();
      hearing.mustBe([], length);
      await engine.resume?.([numero], bench.resume);
      const again = bench.theResumed(numero);
      await again.next('ready');
      again.mustBe(['ready']);
      assert.equal(bench.resumed.length, 1, 'it resumed other sessions too');
    },
    'moves',
  );

  promise(
    'a session that appears elsewhere is resumed, and one that vanishes elsewhere is reported as removed',
    async (bench) => {
      const { elsewhere = assert.fail('the lab has no elsewhere') } = bench.lab;
      const numero = bench.numero();
      await elsewhere.create(numero);
      const hearing = await bench.appeared(numero);
      await hearing.next('ready');
      assert.equal((await bench.send(numero, bench.number())).delivery, 'sent');
      await elsewhere.remove(numero);
      await hearing.next('removed');
      await bench.settle();
      hearing.mustBe(['ready', 'removed']);
      bench.theResumed(numero);
    },
    'shared',
  );

  promise(
    'a session that was started here and vanishes elsewhere is reported as removed, and a start creates it again',
    async (bench) => {
      const { elsewhere = assert.fail('the lab has no elsewhere') } = bench.lab;
      const hearing = await bench.link();
      const { length, numero } = hearing;
      await elsewhere.remove(numero);
      await hearing.next('removed');
      await bench.settle();
      hearing.mustBe(['removed'], length);
      await bench.mustNeedCode(numero);
      assert.deepEqual(bench.resumed, [], 'it listed a session that was started here');
    },
    'shared',
  );

  promise(
    'a start of a session that appeared elsewhere connects without a code',
    async (bench) => {
      const { elsewhere = assert.fail('the lab has no elsewhere') } = bench.lab;
      const numero = bench.numero();
      await elsewhere.create(numero);
      const hearing = await bench.appeared(numero);
      await hearing.next('ready');
      const { length } = hearing;
      const again = await bench.start(numero);
      await again.next('ready');
      again.mustBe(['ready']);
      hearing.mustBe([], length);
    },
    'shared',
  );

  promise(
    'sessions whose server is away are delayed, once, and connect by themselves when it is back',
    async (bench) => {
      const { server = assert.fail('the lab has no server') } = bench.lab;
      const hearing = await bench.link();
      const { length } = hearing;
      await server.goDown();
      await hearing.next('delayed');
      assert.notEqual((await bench.send(hearing.numero, bench.number())).delivery, 'sent');
      const { length: away } = hearing;
      await server.comeBack();
      await hearing.connected(away);
      assert.equal(hearing.all('delayed').length, 1, 'it reported the same twice');
      assert.doesNotMatch(hearing.story(length).join(), /qr|disconnected|removed/);
    },
    'outage',
  );

  promise(
    'restore lists what it knows while its server is away, and it connects later',
    async (bench) => {
      const { server = assert.fail('the lab has no server') } = bench.lab;
      const { numero } = await bench.link();
      await server.goDown();
      await bench.restart();
      const hearing = bench.theResumed(numero);
      await hearing.next('delayed');
      await server.comeBack();
      await hearing.connected(0);
      bench.theResumed(numero);
    },
    'keeps',
    'outage',
  );
}
