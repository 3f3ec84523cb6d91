import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { until } from '../../../test/support/until.ts';
import { limitOf } from '../../src/engines/whatsapp/passkey.ts';
import { TIMINGS as LIFE } from '../../src/engines/whatsapp/timings.ts';
import { CREDENTIALS } from '../../src/ledger/row.ts';
import { type Signing, signed } from '../support/passkey.ts';
import type { PasskeyPlay } from './fake/passkey.ts';
import { type EngineLabOptions, startEngine } from './support/engine-lab.ts';
import { NUMERO, OTHER } from './support/lab.ts';
import { filesWith } from './support/raw-files.ts';

interface Scene extends EngineLabOptions {
  play?: PasskeyPlay;
  /** Whose phone it is. */
  number?: string;
  types?: boolean;
}

/** Has a phone scan the code, or type one, whose account requires a passkey. */
async function open(t: TestContext, { play = {}, number = NUMERO, types, ...options }: Scene = {}) {
  const lab = await startEngine(t, { passkey: true, ...options });
  t.after(() => assert.deepEqual(lab.whatsapp.errors, []));
  const phone = lab.whatsapp.phone(number);
  Object.assign(phone, { asksForPasskey: true, passkeyPlay: play });
  await lab.start(NUMERO);
  const code = await lab.code(NUMERO);
  if (types) await phone.type((await lab.engine.pair(NUMERO)).code);
  else await phone.scan(code);

  /** What was reported after the code, without codes to type. */
  const told = () =>
    lab.events(NUMERO).flatMap((event) => {
      if (event.type === 'passkey') {
        const { passkey } = event;
        return passkey.step === 'sign' && passkey.isAgain ? 'sign again' : passkey.step;
      }
      if (event.type === 'stopped') return event.reason === 'passkey' ? String(event.cause) : event.reason;
      return ['qr', 'pairing', 'name'].includes(event.type) ? [] : event.type;
    });
  const has = (word: string, times = 1) =>
    until(() => told().filter((one) => one === word).length >= times, `${word}, and not ${told()}`);
  return {
    lab,
    phone,
    told,
    has,
    goOn: (said?: Signing) =>
      lab.engine.passkeyChallenge(NUMERO).then((asked) => lab.engine.passkey(NUMERO, signed(asked, said))),
    confirm: () => lab.engine.passkey(NUMERO),
    /** Resolves with the codes that operator and phone see. */
    codes: async () => {
      await has('confirm');
      const codes = lab
        .events(NUMERO)
        .flatMap((event) =>
          event.type === 'passkey' && event.passkey.step === 'confirm' ? event.passkey.code : [],
        );
      return { ours: codes.at(-1), theirs: phone.passkey?.code };
    },
  };
}

const NO_STEP = { name: 'NoPasskeyStep' };

describe('a phone whose account requires a passkey', () => {
  for (const [way, types] of [
    ['scans a code', false],
    ['was told a code to type', true],
  ] as const) {
    test(`${way}, and is linked once the passkey has signed`, async (t) => {
      const { lab, phone, told, has, goOn, confirm } = await open(t, { types });
      await has('sign');
      await assert.rejects(lab.engine.pair(NUMERO), { name: 'NotPairable' });
      const asked = await lab.engine.passkeyChallenge(NUMERO);
      assert.deepEqual(Object.keys(asked).sort(), [
        ...['allowCredentials', 'challenge', 'extensions', 'rpId', 'timeout', 'userVerification'],
      ]);
      await assert.rejects(confirm(), NO_STEP);
      await goOn();
      await assert.rejects(goOn(), NO_STEP);
      await has('ready');
      assert.deepEqual(told(), ['sign', 'wait', 'authenticated', 'ready']);
      assert.deepEqual(phone.passkey?.proofs, [true]);
      assert.equal(lab.pairing(NUMERO), undefined);
      // One for each notification, of whoever sends it.
      const acks = lab.whatsapp.acks
        .map(({ type }) => type)
        .filter((type) => /passkey|crsc/.test(type ?? ''));
      assert.deepEqual(acks, ['passkey_prologue_request', 'crsc_continuation']);
      await lab.reopen();
      await until(() => phone.logins === 2, 'another login');
    });

    test(`${way}, and is linked once codes were compared, where the proof came too late`, async (t) => {
      const scene = await open(t, { types, timings: { passkeyProven: 0 } });
      await scene.has('sign');
      await scene.goOn();
      const { ours, theirs } = await scene.codes();
      assert.equal(ours, theirs);
      await assert.rejects(scene.goOn(), NO_STEP);
      await scene.confirm();
      await scene.has('ready');
      assert.deepEqual(scene.told(), ['sign', 'wait', 'confirm', 'wait', 'authenticated', 'ready']);
      assert.deepEqual(scene.phone.passkey?.proofs, [false]);
      await assert.rejects(scene.confirm(), NO_STEP);
    });
  }

  test('is linked although nothing to sign came with the request', async (t) => {
    const { told, has, goOn } = await open(t, { play: { omitsOptions: true } });
    await has('sign');
    await goOn();
    await has('ready');
    assert.deepEqual(told(), ['wait', 'sign', 'wait', 'authenticated', 'ready']);
  });

  test('is linked although the library has no code left meanwhile', async (t) => {
    const { lab, told, has, goOn } = await open(t, { refs: 2, timings: { code: 1_000 } });
    await has('sign');
    const before = lab.heard(NUMERO).filter((type) => type === 'qr').length;
    // Its codes end later.
    await lab.start(OTHER);
    await lab.last(OTHER, 'qr_timeout');
    assert.equal(lab.heard(NUMERO).filter((type) => type === 'qr').length, before);
    await goOn();
    await has('ready');
    assert.deepEqual(told(), ['sign', 'wait', 'authenticated', 'ready']);
  });

  test('is linked although WhatsApp asks twice: what it asked last is signed, and the proof holds', async (t) => {
    for (const asksAgain of ['at once', 'with the prologue'] as const) {
      const { phone, lab, told, has, goOn } = await open(t, { play: { asksAgain } });
      await has('sign');
      await until(() => asksAgain !== 'at once' || lab.whatsapp.acks.length === 2, 'both');
      await goOn();
      await has('ready');
      assert.deepEqual(told(), ['sign', 'wait', 'authenticated', 'ready']);
      assert.deepEqual(phone.passkey?.proofs, [true]);
    }
  });

  test('is linked once, whatever is repeated', async (t) => {
    const { phone, lab, told, has } = await open(t, { play: { continuation: 'twice' } });
    await has('sign');
    const assertion = signed(await lab.engine.passkeyChallenge(NUMERO));
    const results = await Promise.allSettled([1, 2].map(() => lab.engine.passkey(NUMERO, assertion)));
    assert.deepEqual(results.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
    await has('ready');
    assert.deepEqual([told().length, phone.passkey?.assertions.length, phone.links], [4, 1, 1]);
  });

  test('is asked again if WhatsApp refuses what was signed, and then codes are compared', async (t) => {
    const { phone, told, has, goOn, confirm, codes } = await open(t, {
      play: { refuses: { passkey_prologue: 1 } },
    });
    await has('sign');
    await goOn();
    await has('sign again');
    await goOn();
    const { ours, theirs } = await codes();
    assert.equal(ours, theirs);
    await confirm();
    await has('ready');
    assert.deepEqual(told(), [
      ...['sign', 'wait', 'sign again', 'wait', 'confirm', 'wait', 'authenticated', 'ready'],
    ]);
    assert.deepEqual(phone.passkey?.proofs, [true, false]);
  });

  test('is asked three times at most, and what WhatsApp would refuse is not sent', async (t) => {
    const { lab, phone, told, has, goOn } = await open(t, { play: { refuses: { passkey_prologue: 9 } } });
    await has('sign');
    await assert.rejects(goOn({ challenge: 'AAAA' }), NO_STEP);
    await goOn({ origin: 'https://example.com' });
    await has('sign again');
    await goOn();
    await has('sign again', 2);
    await goOn();
    await has('refused');
    assert.deepEqual(told(), ['sign', ...['wait', 'sign again', 'wait', 'sign again', 'wait', 'refused']]);
    assert.equal(phone.passkey?.assertions.length, 2);
    await until(() => lab.whatsapp.connections === 0, 'no connection');
  });

  test('of another number is refused', async (t) => {
    const { phone, told, has, goOn } = await open(t, { number: OTHER });
    await has('sign');
    await goOn();
    await has('other-number');
    assert.deepEqual(told(), ['sign', 'wait', 'other-number']);
    await until(() => phone.devices.length === 0, 'it to be unlinked');
  });

  test('is not linked if its keys cannot be saved', async (t) => {
    const holds: EngineLabOptions['holds'] = (_, changes) =>
      changes.some(({ type }) => type === CREDENTIALS.type);
    const { lab, told, has, goOn } = await open(t, { holds });
    await has('sign');
    await goOn();
    await until(() => lab.store.held[0], 'the write').then((write) => write.fail(new Error('full')));
    await has('disconnected');
    assert.deepEqual(lab.events(NUMERO).at(-1), { type: 'disconnected', reason: 'unsaved' });
    assert.deepEqual(told(), ['sign', 'wait', 'disconnected']);
  });
});

describe('linking with a passkey ends, says why, and begins anew with a start,', () => {
  const ENDS: [when: string, cause: string, scene: Scene, signs?: false][] = [
    ['when nobody signs in time', 'expired', { timings: { passkeySigned: 200 } }, false],
    [
      'when the phone is silent',
      'no-phone',
      { play: { continuation: 'nothing' }, timings: { passkeyAnswered: 300 } },
    ],
    ['when WhatsApp gives no ref', 'unanswered', { play: { refuses: { ref: 1 } } }],
    [
      'when WhatsApp does not answer',
      'unanswered',
      { play: { ignores: 'passkey_prologue' }, timings: { query: 500 } },
    ],
    ['when WhatsApp refuses the nonce', 'unanswered', { play: { refuses: { companion_nonce: 1 } } }],
    [
      'when WhatsApp refuses the request',
      'unanswered',
      { play: { refuses: { encrypted_pairing_request: 1 } } },
    ],
    [
      'when WhatsApp says nothing to sign',
      'unanswered',
      { play: { omitsOptions: true, refuses: { passkey_request_options: 1 } } },
      false,
    ],
    ['when the phone sends a key that is too short', 'unknown', { play: { continuation: 'short' } }],
    [
      'when the account is signed with the secret of the code',
      'lost',
      { play: { signsWithOldSecret: true } },
    ],
  ];
  for (const [when, cause, scene, signs = true] of ENDS) {
    test(when, async (t) => {
      const { lab, phone, told, has, goOn } = await open(t, scene);
      if (signs) {
        await has('sign');
        await goOn();
      }
      await has(cause);
      assert.equal(told().at(-1), cause);
      await assert.rejects(lab.engine.passkeyChallenge(NUMERO), NO_STEP);
      assert.deepEqual(phone.devices, []);
      await until(() => lab.whatsapp.connections === 0, 'no connection');
    });
  }

  test('when the line is lost', async (t) => {
    const { lab, phone, told, has } = await open(t);
    await has('sign');
    await lab.whatsapp.goDown();
    await has('lost');
    assert.deepEqual(told(), ['sign', 'lost']);
    await lab.whatsapp.comeBack();
    phone.asksForPasskey = false;
    await lab.link(NUMERO);
  });

  test('when somebody starts it again', async (t) => {
    const { lab, phone, told, has, goOn } = await open(t, { play: { continuation: 'nothing' } });
    await has('sign');
    await goOn();
    await until(() => phone.passkey?.assertions.length === 1, 'the signature');
    phone.passkeyPlay = {};
    const before = told().length;
    await lab.start(NUMERO);
    await phone.scan(await lab.code(NUMERO, lab.heard(NUMERO).lastIndexOf('qr') + 1));
    await has('sign', 2);
    await goOn();
    await has('ready');
    assert.deepEqual(told().slice(before), ['sign', 'wait', 'authenticated', 'ready']);
  });

  test('when the gateway ends, and leaves nothing behind', async (t) => {
    const { lab, phone, told, has, goOn } = await open(t, { types: true, timings: { passkeyProven: 0 } });
    await has('sign');
    await goOn();
    await has('confirm');
    await lab.reopen();
    await has('disconnected');
    assert.equal(told().at(-1), 'disconnected');
    assert.deepEqual(filesWith(lab.folder, '@s.whatsapp.net'), []);
    phone.asksForPasskey = false;
    await lab.link(NUMERO);
  });

  test('with a code that is not the same on the phone if somebody is between the two', async (t) => {
    for (const continuation of ['other-key', 'other-nonce'] as const) {
      const { phone, has, goOn, codes } = await open(t, {
        play: { continuation },
        timings: { passkeyProven: 0 },
      });
      await has('sign');
      await goOn();
      const { ours, theirs } = await codes();
      assert.ok(theirs);
      assert.notEqual(ours, theirs);
      assert.deepEqual(phone.devices, []);
    }
  });
});

test('nobody but WhatsApp requests a passkey', async (t) => {
  const { lab, phone, told } = await open(t, { play: { from: `${OTHER}@s.whatsapp.net` } });
  phone.asksForPasskey = false;
  await phone.scan(await lab.code(NUMERO));
  await lab.last(NUMERO, 'ready');
  assert.deepEqual(told(), ['authenticated', 'ready']);
});

test('the codes of a start end as ever where accounts with a passkey are linked', async (t) => {
  const lab = await startEngine(t, { passkey: true, refs: 3, timings: { code: 50 } });
  await lab.start(NUMERO);
  await lab.last(NUMERO, 'qr_timeout');
  assert.deepEqual(lab.heard(NUMERO), ['qr', 'qr', 'qr', 'qr_timeout']);
});

test('the steps of a passkey take as long as in WhatsApp Web', () => {
  const limits = (['sign', 'wait', 'confirm'] as const).map((step) => limitOf(step, LIFE));
  assert.deepEqual(
    limits.map(({ time, over }) => [time, 'cause' in over && over.cause]),
    [
      [600_000, 'expired'],
      [120_000, 'no-phone'],
      [120_000, 'expired'],
    ],
  );
});
