import assert from 'node:assert/strict';
import { otherNumero } from '../../src/engines/simulated/endings.ts';
import type { PasskeyAssertion } from '../../src/sessions/engine.ts';
import { signed } from '../support/passkey.ts';
import type { Bench } from './bench.ts';
import type { Contract } from './contract.ts';

const LINKED = ['qr', 'authenticated', 'ready'];

/** Starts a session, and resolves with a code to type, and with what was told. */
async function startPaired(bench: Bench) {
  const hearing = await bench.start(bench.numero());
  await hearing.code();
  const pairing = await bench.engine.pair(hearing.numero);
  return { hearing, pairing };
}

export function linkingPromises({ promise, abilities }: Contract): void {
  promise('a start reports a code, and a scan authenticated and ready, in this order', async (bench) => {
    const hearing = await bench.link();
    await bench.settle();
    hearing.mustBe(LINKED);
    assert.ok(await bench.lab.isLinked(hearing.numero), 'the phone shows no linked device');
  });

  promise('a restart of a linked session connects without a new code', async (bench) => {
    const { numero } = await bench.link();
    const again = await bench.start(numero);
    await again.next('ready');
    await bench.settle();
    again.mustBe(['ready']);
  });

  promise('events of an earlier start go to nobody', async (bench) => {
    const numero = bench.numero();
    const first = await bench.start(numero);
    await first.code();
    const second = await bench.start(numero);
    const { length } = first;
    await bench.lab.scan(numero, await second.code());
    await second.next('ready');
    second.mustBe(LINKED);
    await bench.start(numero).then((third) => third.next('ready'));
    second.mustBe(LINKED);
    first.mustBe([], length);
  });

  promise('a code that is replaced is not reported again', async (bench) => {
    const hearing = await bench.start(bench.numero());
    await hearing.code();
    const { length } = hearing;
    await bench.lab.renewCode(hearing.numero);
    await hearing.code(length);
    await bench.settle();
    const codes = hearing.all('qr').map((event) => event.code);
    assert.equal(new Set(codes).size, codes.length, 'it reported a code twice');
    hearing.mustBe(['qr']);
    await bench.lab.scan(hearing.numero, hearing.lastCode);
    await hearing.next('ready');
  });

  promise(
    'codes that run out are reported once as qr_timeout, and a start brings others',
    async (bench) => {
      const hearing = await bench.start(bench.numero());
      await hearing.code();
      await bench.lab.endCodes(hearing.numero);
      await hearing.next('qr_timeout');
      await bench.settle();
      hearing.mustBe(['qr', 'qr_timeout']);
      await bench.mustNeedCode(hearing.numero);
    },
    'expires',
  );

  promise('two numeros do not mix', async (bench) => {
    const [one, other] = await Promise.all([bench.start(bench.numero()), bench.start(bench.numero())]);
    const [code] = await Promise.all([one.code(), other.code()]);
    await bench.lab.scan(one.numero, code);
    await one.next('ready');
    await bench.settle();
    one.mustBe(LINKED);
    other.mustBe(['qr']);
    // A code may end before it is scanned.
    const scanned = () => bench.lab.scan(other.numero, other.lastCode).then(() => true);
    await bench.until(scanned, 'a code that is valid');
    await other.next('ready');
    await bench.lab.logOut(one.numero);
    await one.next('disconnected');
    await bench.settle();
    other.mustBe(LINKED);
  });

  promise('the phone of another number is stopped other-number, once', async (bench) => {
    const hearing = await bench.start(bench.numero());
    const { numero } = hearing;
    await bench.lab.scanWithOther(numero, await hearing.code());
    const stopped = await hearing.next('stopped');
    assert.deepEqual(stopped, { type: 'stopped', reason: 'other-number', numero: otherNumero(numero) });
    await bench.settle();
    hearing.mustBe(['qr', 'stopped other-number']);
  });

  promise('the phone of another number is unlinked again, and a start needs a code', async (bench) => {
    const hearing = await bench.start(bench.numero());
    const { numero } = hearing;
    await bench.lab.scanWithOther(numero, await hearing.code());
    await hearing.next('stopped');
    const isUnlinked = async () => !(await bench.lab.isLinked(otherNumero(numero)));
    await bench.until(isUnlinked, 'the other phone to show no linked device');
    await bench.mustNeedCode(numero);
  });

  for (const comparesCodes of [false, true]) {
    const steps = comparesCodes ? ['passkey sign', 'passkey confirm'] : ['passkey sign'];
    const then = comparesCodes ? ', codes are compared, each in its turn,' : ',';
    promise(
      `a passkey signs${then} and then the phone is linked`,
      async (bench) => {
        bench.lab.comparesCodes = comparesCodes;
        await bench.restart();
        const hearing = await bench.start(bench.numero());
        const { numero } = hearing;
        const goOn = async (assertion?: PasskeyAssertion) => bench.engine.passkey?.(numero, assertion);
        const refused = { name: 'NoPasskeyStep' };
        await assert.rejects(async () => bench.engine.passkeyChallenge?.(numero), refused);
        await bench.lab.scanWithPasskey?.(numero, await hearing.code());
        await hearing.next('passkey');
        await bench.until(() => hearing.words().includes('passkey sign'), 'something to sign');
        const challenge = await bench.engine.passkeyChallenge?.(numero);
        assert.equal(challenge?.rpId, 'whatsapp.com');
        await assert.rejects(goOn(), refused, 'codes were compared before the signature');
        await goOn(signed(challenge));
        if (comparesCodes) {
          await bench.until(() => hearing.words().includes('passkey confirm'), 'a code to compare');
          await assert.rejects(goOn(signed(challenge)), refused, 'it was signed twice');
          const codes = hearing
            .all('passkey')
            .flatMap(({ passkey }) => ('code' in passkey ? passkey.code : []));
          assert.match(codes.join(), /^[1-9A-HJ-NP-TV-Z]{4}-[1-9A-HJ-NP-TV-Z]{4}$/);
          await goOn();
        }
        await hearing.next('ready');
        await bench.settle();
        const story = hearing.story().filter((word) => word !== 'passkey wait');
        assert.deepEqual(story, ['qr', ...steps, 'authenticated', 'ready']);
        assert.ok(await bench.lab.isLinked(numero), 'the phone shows no linked device');
      },
      'passkeys',
    );
  }

  if (!abilities.has('pairing')) {
    promise('pair rejects with NotPairable, since the engine cannot do it', async (bench) => {
      const hearing = await bench.start(bench.numero());
      await hearing.code();
      await assert.rejects(bench.engine.pair(hearing.numero), { name: 'NotPairable' });
    });
    return;
  }

  promise(
    'pair returns eight characters, the same while they are valid, and reports them once',
    async (bench) => {
      const { hearing, pairing } = await startPaired(bench);
      assert.match(pairing.code, /^[0-9A-Z]{8}$/, 'the code must have eight characters');
      assert.ok(pairing.expires > Date.now(), 'the code is over already');
      assert.deepEqual(await bench.engine.pair(hearing.numero), pairing, 'it gave another code');
      await bench.settle();
      assert.deepEqual(hearing.all('pairing'), [{ type: 'pairing', pairing }]);
    },
  );

  promise('a code to type links the phone as a scan does', async (bench) => {
    const { hearing, pairing } = await startPaired(bench);
    await bench.lab.type(hearing.numero, pairing.code);
    await hearing.next('ready');
    const story = hearing.story().filter((word) => !word.startsWith('pairing'));
    assert.deepEqual(story, LINKED);
  });

  const pairingEnds = [
    ['when a phone is linked', 'scan', 'ready'],
    ['when the codes run out', 'endCodes', 'qr_timeout', 'expires'],
  ] as const;
  for (const [when, end, told, ...needs] of pairingEnds) {
    promise(
      `the end of a code to type is reported ${when}`,
      async (bench) => {
        const { hearing } = await startPaired(bench);
        await bench.lab[end](hearing.numero, hearing.lastCode);
        await hearing.next(told);
        assert.equal(hearing.all('pairing').at(-1)?.pairing, undefined, `it reported ${told} before`);
        await bench.settle();
        assert.deepEqual(hearing.all('pairing').slice(1), [{ type: 'pairing', pairing: undefined }]);
      },
      ...needs,
    );
  }

  promise('pair rejects with NotPairable if the session does not wait for a phone', async (bench) => {
    const refused = { name: 'NotPairable', reason: 'not-waiting' };
    await assert.rejects(bench.engine.pair(bench.numero()), refused, 'an unknown numero');
    const { numero } = await bench.link();
    await assert.rejects(bench.engine.pair(numero), refused, 'a session that is connected');
  });

  promise(
    'pair rejects with NotPairable once the codes have run out',
    async (bench) => {
      const other = await bench.start(bench.numero());
      await other.code();
      await bench.lab.endCodes(other.numero);
      await other.next('qr_timeout');
      await assert.rejects(bench.engine.pair(other.numero), { name: 'NotPairable', reason: 'not-waiting' });
    },
    'expires',
  );
}
