import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { until } from '../../../test/support/until.ts';
import type { Pairing } from '../../src/sessions/engine.ts';
import { type EngineLab, startEngine } from './support/engine-lab.ts';
import { NUMERO, OTHER } from './support/lab.ts';
import { rowsIn } from './support/stored-rows.ts';

/** Starts a session and has it show four codes: the two others are good for 40 seconds, the fourth for 20. */
async function showFourCodes(lab: EngineLab): Promise<void> {
  await lab.start(NUMERO);
  for (const count of [1, 2, 3, 4]) {
    await until(() => lab.heard(NUMERO).length === count, `code ${count}`);
    if (count < 4) lab.whatsapp.renewCodes(6);
  }
}

describe('a code to scan', () => {
  for (const [what, timings, life] of [
    ['sixty seconds after it is shown, if it is the first', {}, 60_000],
    ['when its configured life is over', { code: 30_000 }, 30_000],
  ] as const) {
    test(`ends ${what}`, async (t) => {
      const lab = await startEngine(t, { timings });
      const before = Date.now();
      await lab.start(NUMERO);
      await lab.code(NUMERO);
      const [event] = lab.events(NUMERO);
      const expires = event?.type === 'qr' ? Number(event.expires) : Number.NaN;
      assert.ok(expires >= before + life && expires <= Date.now() + life, `${expires - before}`);
    });
  }
});

/** The QR text up to its secret, and the secret. */
function partsOf(code: string): { ref: string; secret: string } {
  const [ref = '', , , secret = ''] = code.split(',');
  return { ref, secret };
}

describe('a code to scan whose secret WhatsApp has replaced', () => {
  /** Resolves with the last code once there are `count` of them, drawn anew ones included. */
  const nth = async (lab: EngineLab, count: number) => {
    await until(() => lab.heard(NUMERO).length === count, `code ${count}`);
    return lab.code(NUMERO);
  };

  for (const child of ['companion_reg_refresh', 'pair-device-rotate-qr'] as const) {
    test(`is drawn anew and links, and the request, a ${child}, is acknowledged once`, async (t) => {
      const lab = await startEngine(t);
      await lab.start(NUMERO);
      const old = await lab.code(NUMERO);
      lab.whatsapp.refresh(old, child);
      const code = await nth(lab, 2);
      assert.equal(partsOf(code).ref, partsOf(old).ref);
      const [shown, redrawn] = lab.events(NUMERO);
      assert.deepEqual(redrawn, { ...shown, code });

      const phone = lab.whatsapp.phone(NUMERO);
      await assert.rejects(phone.scan(old), /Could not link/);
      await phone.scan(code);
      await lab.last(NUMERO, 'ready');
      assert.deepEqual(lab.heard(NUMERO), ['qr', 'qr', 'authenticated', 'ready']);
      const [{ id, ...ack } = {}, ...others] = lab.whatsapp.acks;
      assert.match(id ?? '', /^[0-9a-f]{16}$/);
      assert.deepEqual(ack, { class: 'notification', to: '@s.whatsapp.net', type: 'companion_reg_refresh' });
      assert.deepEqual(others, []);
    });
  }

  test('counts as one code, however often it is drawn anew', async (t) => {
    const lab = await startEngine(t);
    await lab.start(NUMERO);
    for (let shown = 1; shown < 12; shown += 2) {
      lab.whatsapp.refresh(await nth(lab, shown));
      await nth(lab, shown + 1);
      lab.whatsapp.renewCodes(6);
    }
    await lab.last(NUMERO, 'qr_timeout');
    const parts = lab.events(NUMERO).flatMap((event) => (event.type === 'qr' ? partsOf(event.code) : []));
    assert.equal(new Set(parts.map(({ ref }) => ref)).size, 6);
    assert.equal(new Set(parts.map(({ secret }) => secret)).size, 7);
  });

  test('has its new secret in the code after it', async (t) => {
    const lab = await startEngine(t, { timings: { code: 200 } });
    await lab.start(NUMERO);
    const old = await lab.code(NUMERO);
    lab.whatsapp.refresh(old);
    const codes = () =>
      lab.events(NUMERO).flatMap((event) => (event.type === 'qr' ? partsOf(event.code) : []));
    const redrawn = await until(() => codes().find(({ secret }) => secret !== partsOf(old).secret), 'it');
    const next = await until(() => codes().find(({ ref }, i) => i > 1 && ref !== redrawn.ref), 'the next');
    assert.equal(next.secret, redrawn.secret);
  });

  test('leaves a code to type as it is, before and after the phone has answered that', async (t) => {
    const lab = await startEngine(t);
    await lab.start(NUMERO);
    const old = await lab.code(NUMERO);
    const { code } = await lab.engine.pair(NUMERO);
    lab.whatsapp.refresh(old);
    await lab.last(NUMERO, 'qr');
    const phone = lab.whatsapp.phone(NUMERO);
    phone.causesRefresh = true;
    await phone.type(code);
    await lab.last(NUMERO, 'ready');
    assert.deepEqual(lab.heard(NUMERO), ['qr', 'pairing', 'qr', 'pairing', 'authenticated', 'ready']);
    const acks = lab.whatsapp.acks.filter(({ type }) => type === 'companion_reg_refresh');
    assert.equal(new Set(acks.map(({ id }) => id)).size, 2);
    assert.equal(acks.length, 2);
    assert.deepEqual(lab.whatsapp.errors, []);
  });
});

describe('a code to type on the phone', () => {
  test('is requested for the form of the number that WhatsApp knows', async (t) => {
    const lab = await startEngine(t);
    await lab.start('+52 55 5000 1111');
    const { code } = await lab.engine.pair('+52 55 5000 1111');
    await lab.whatsapp.phone(NUMERO).type(code);
    await lab.last('+52 55 5000 1111', 'ready');
  });

  test('is not found on the phone of another number, and wrong on the right one if mistyped', async (t) => {
    const lab = await startEngine(t);
    await lab.start(NUMERO);
    const { code } = await lab.engine.pair(NUMERO);
    await assert.rejects(lab.whatsapp.phone(OTHER).type(code), /No code for this number/);
    await assert.rejects(lab.whatsapp.phone(NUMERO).type('AAAAAAAA'), /Wrong code/);
    assert.deepEqual(lab.heard(NUMERO), ['qr', 'pairing']);
    await lab.whatsapp.phone(NUMERO).type(code);
    await lab.last(NUMERO, 'ready');
  });

  test('comes with new codes to scan if the old ones expire too soon to type it', async (t) => {
    const lab = await startEngine(t);
    await showFourCodes(lab);
    const pairing = await lab.engine.pair(NUMERO);
    assert.equal(lab.whatsapp.registrations, 2);
    assert.ok(pairing.expires - Date.now() > 100_000);
    assert.deepEqual(lab.heard(NUMERO).slice(4), ['qr', 'pairing']);
    // Now there is time enough.
    assert.deepEqual(await lab.engine.pair(NUMERO), pairing);
    await lab.whatsapp.phone(NUMERO).type(pairing.code);
    await lab.last(NUMERO, 'ready');
  });

  test('is good for long after a connection that broke late', async (t) => {
    const lab = await startEngine(t);
    await showFourCodes(lab);
    await lab.whatsapp.goDown();
    await until(() => lab.heard(NUMERO).includes('delayed'), 'the loss');
    await lab.whatsapp.comeBack();
    const pairing = await until(() => lab.engine.pair(NUMERO).catch(() => undefined), 'a code to type');
    assert.ok(pairing.expires - Date.now() > 100_000);
    await lab.whatsapp.phone(NUMERO).type(pairing.code);
    await lab.last(NUMERO, 'ready');
  });

  test('is over when the connection breaks, and can be requested again', async (t) => {
    const lab = await startEngine(t);
    await lab.start(NUMERO);
    const first = await lab.engine.pair(NUMERO);
    await lab.whatsapp.goDown();
    await until(() => lab.heard(NUMERO).includes('delayed'), 'the loss');
    assert.equal(lab.pairing(NUMERO), undefined);
    await assert.rejects(lab.whatsapp.phone(NUMERO).type(first.code));
    await lab.whatsapp.comeBack();
    await lab.last(NUMERO, 'qr');
    const second = await lab.engine.pair(NUMERO);
    assert.notEqual(second.code, first.code);
    await lab.whatsapp.phone(NUMERO).type(second.code);
    await lab.last(NUMERO, 'ready');
  });

  test('is not given if WhatsApp refuses or does not answer; the phone can still scan', async (t) => {
    for (const [refusal, reason, timings] of [
      [429, 'refused', {}],
      ['silently', 'no-answer', { query: 3_000 }],
    ] as const) {
      const lab = await startEngine(t, { timings });
      await lab.start(NUMERO);
      lab.whatsapp.refusesCodes = refusal;
      await assert.rejects(lab.engine.pair(NUMERO), { reason });
      await lab.whatsapp.phone(NUMERO).scan(await lab.code(NUMERO));
      await lab.last(NUMERO, 'ready');
      assert.deepEqual(lab.heard(NUMERO), ['qr', 'authenticated', 'ready']);
    }
  });

  test('is not given while the session is deleted or started again; then it does not prevent a scan', async (t) => {
    const lab = await startEngine(t);
    for (const end of [() => lab.engine.remove(NUMERO), () => lab.start(NUMERO)]) {
      await lab.start(NUMERO);
      const refused = assert.rejects(lab.engine.pair(NUMERO), { reason: 'not-waiting' });
      await end();
      await refused;
    }
    await lab.engine.pair(NUMERO);
    await lab.whatsapp.phone(NUMERO).scan(await lab.code(NUMERO));
    await lab.last(NUMERO, 'ready');
    const before = lab.events(NUMERO).at(-1);
    await lab.reopen();
    await lab.last(NUMERO, 'ready', before);
  });

  test('leaves nothing in the store until the phone is linked', async (t) => {
    const lab = await startEngine(t);
    await lab.start(NUMERO);
    await lab.engine.pair(NUMERO);
    assert.equal(rowsIn(lab.folder, 'key'), 0);
    await assert.rejects(lab.engine.unlink(NUMERO), { name: 'NotLinked' });
    await lab.reopen();
    assert.deepEqual(lab.events(NUMERO).at(-1), { type: 'disconnected' });
    const pairing: Pairing = await lab.start(NUMERO).then(() => lab.engine.pair(NUMERO));
    await lab.whatsapp.phone(NUMERO).type(pairing.code);
    await lab.last(NUMERO, 'ready');
  });
});
