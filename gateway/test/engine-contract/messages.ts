import assert from 'node:assert/strict';
import type { Bench } from './bench.ts';
import type { Contract } from './contract.ts';

const TEXT = 'Año nuevo: 50 % – «sí»\n👋 <b>&amp;</b>';

export function messagePromises({ promise }: Contract): void {
  promise('a message arrives as it was written, from the numero that sent it', async (bench) => {
    const [one, other] = [await bench.link(), await bench.link()];
    const to = bench.number();
    for (const { numero } of [one, other]) {
      assert.equal((await bench.send(numero, to, `${numero} ${TEXT}`)).delivery, 'sent');
    }
    await bench.until(async () => (await bench.lab.arrivals(to)).length >= 2, 'both messages to arrive');
    assert.deepEqual(
      await bench.lab.arrivals(to),
      [one, other].map(({ numero }) => ({ from: numero, text: `${numero} ${TEXT}` })),
    );
  });

  promise('a message to a number without WhatsApp is no-whatsapp', async (bench) => {
    const { numero } = await bench.link();
    const to = await bench.lab.absent(bench.number());
    const { delivery, acks, early } = await bench.send(numero, to);
    assert.equal(delivery, 'no-whatsapp');
    await bench.settle();
    assert.deepEqual([...early, ...acks], [], 'it told more of a message that was not sent');
  });

  const unconnected: Record<string, (bench: Bench) => Promise<string>> = {
    'of an unknown numero': async (bench) => bench.numero(),
    'that shows a code': async (bench) => {
      const hearing = await bench.start(bench.numero());
      await hearing.code();
      return hearing.numero;
    },
    'whose phone has unlinked it': async (bench) => {
      const hearing = await bench.link();
      await bench.lab.logOut(hearing.numero);
      await hearing.next('disconnected');
      return hearing.numero;
    },
    'that the phone of another number has scanned': async (bench) => {
      const hearing = await bench.start(bench.numero());
      await bench.lab.scanWithOther(hearing.numero, await hearing.code());
      await hearing.next('stopped');
      return hearing.numero;
    },
    'whose line is lost': async (bench) => {
      const hearing = await bench.link();
      const { length } = hearing;
      await bench.lab.loseLine(hearing.numero);
      await hearing.next('state', length);
      return hearing.numero;
    },
  };
  for (const [which, prepare] of Object.entries(unconnected)) {
    promise(`a message from a session ${which} is not-connected`, async (bench) => {
      const numero = await prepare(bench);
      const to = bench.number();
      assert.equal((await bench.send(numero, to)).delivery, 'not-connected');
      assert.deepEqual(await bench.lab.arrivals(to), [], 'it arrived all the same');
    });
  }

  promise(
    'acks come after the outcome, in order, each once',
    async (bench) => {
      const { numero } = await bench.link();
      const to = bench.number();
      const { delivery, acks, early } = await bench.send(numero, to);
      assert.equal(delivery, 'sent');
      for (const [index, ack] of (['device', 'read'] as const).entries()) {
        await bench.lab.acknowledge(to, ack);
        await bench.until(() => acks.length > index, `${ack} to be told`);
      }
      for (const ack of ['device', 'read'] as const) await bench.lab.acknowledge(to, ack);
      // What follows it shows that these have been heard.
      const last = await bench.send(numero, to);
      await bench.lab.acknowledge(to, 'device');
      await bench.until(() => last.acks.length > 0, 'the next message to be acknowledged');
      assert.deepEqual(acks, ['device', 'read']);
      assert.deepEqual(early, [], 'it told them before the outcome');
    },
    'ack',
  );

  promise(
    'the acks of two messages do not mix',
    async (bench) => {
      const { numero } = await bench.link();
      const [to, other] = [bench.number(), bench.number()];
      const [sent, unread] = [await bench.send(numero, to), await bench.send(numero, other)];
      await bench.lab.acknowledge(other, 'device');
      await bench.lab.acknowledge(to, 'device');
      await bench.lab.acknowledge(to, 'read');
      await bench.until(() => sent.acks.includes('read'), 'the reading to be told');
      assert.deepEqual(unread.acks, ['device']);
    },
    'ack',
  );
}
