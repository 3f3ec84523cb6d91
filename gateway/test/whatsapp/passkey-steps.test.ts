import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { STATES, type WireHistoryEntry } from '../../../src/wire.ts';
import { until } from '../../../test/support/until.ts';
import { call, itemOf } from '../support/gateway.ts';
import { signed } from '../support/passkey.ts';
import { NUMERO, startLab } from './support/lab.ts';

describe('a real session whose account requires a passkey, through the gateway', () => {
  const path = `/api/session/${NUMERO}/passkey`;

  test('is linked by the calls of the contract; the log has its steps, and nothing secret', async (t) => {
    const lab = await startLab(t, { passkey: true, timings: { passkeyProven: 0 } });
    const [extensions] = await lab.listener.heard('server:extensions');
    assert.ok(Object(extensions).extensions.includes('passkey'));
    const phone = lab.whatsapp.phone(NUMERO);
    phone.asksForPasskey = true;
    phone.passkeyPlay = { refuses: { passkey_prologue: 1 } };
    await lab.levanta();
    const qrCode = await lab.code();
    await phone.scan(qrCode);

    const at = (text: RegExp) =>
      until(async () => {
        const { passkey } = (await itemOf(lab.gateway, NUMERO)) ?? {};
        return passkey && text.test(passkey.text) ? passkey.text : undefined;
      }, `a step that says ${text}`);
    const goOn = (body?: object) => call(lab.gateway, path, { method: 'POST', ...(body && { body }) });
    const secrets: string[] = [];
    for (const said of [/^La cuenta pide una llave/, /^La llave de acceso no sirvió/]) {
      await at(said);
      const { status, body } = await call(lab.gateway, path);
      assert.equal(status, 200);
      const assertion = signed(Object(body));
      secrets.push(Object(body).challenge, ...Object.values(assertion.response).map(String), assertion.id);
      assert.equal((await goOn({ assertion })).status, 202);
    }
    const [code = ''] = (await at(/^Compara/)).split(' ').slice(-1);
    assert.equal(code, phone.passkey?.code);
    assert.equal((await goOn()).status, 202);
    await lab.state(STATES.connected);
    assert.equal((await goOn()).status, 409);

    const history = (await call(lab.gateway, `/api/session/${NUMERO}/history`)).body as WireHistoryEntry[];
    const log = lab.lines.join('');
    for (const line of [
      'passkey_prologue_request with passkey_request_options',
      'to be signed: challenge, timeout, rpId, allowCredentials, userVerification, extensions',
      'passkey_prologue: 400',
      'crsc_continuation with primary_ephemeral_identity',
      'encrypted_pairing_request: answered',
    ]) {
      const logged = lab.lines.find((one) => one.includes(`"Passkey: ${line}"`)) ?? assert.fail(line);
      assert.match(logged, new RegExp(`"level":"debug".*"numero":"${NUMERO}"`));
    }
    secrets.push(code, ...qrCode.split(','), String(phone.passkey?.assertions[0]));
    for (const secret of secrets.filter(({ length }) => length > 3)) {
      assert.ok(!log.includes(secret), `the log has ${secret}`);
      assert.ok(!JSON.stringify(history).includes(secret), `the history has ${secret}`);
    }
  });

  test('announces nothing of it and ends where that is off', async (t) => {
    const lab = await startLab(t);
    const [extensions] = await lab.listener.heard('server:extensions');
    assert.ok(!Object(extensions).extensions.includes('passkey'));
    const phone = lab.whatsapp.phone(NUMERO);
    phone.asksForPasskey = true;
    await lab.levanta();
    await phone.scan(await lab.code());
    await lab.state(/^LLAVE DE ACCESO/);
    assert.match(
      (await itemOf(lab.gateway, NUMERO))?.reason?.text ?? '',
      /pide a quien administra el servidor/,
    );
    assert.equal((await call(lab.gateway, path)).status, 409);
  });
});
