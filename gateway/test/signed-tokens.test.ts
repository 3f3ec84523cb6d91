import assert from 'node:assert/strict';
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { type JWTPayload, SignJWT } from 'jose';
import { mockTimers } from '../../test/support/mock-timers.ts';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { until } from '../../test/support/until.ts';
import type { GatewayOptions } from '../src/gateway-options.ts';
import { createLogger } from '../src/log.ts';
import { Access } from '../src/security/access.ts';
import { SettingsFileError } from '../src/security/settings-file.ts';
import { bearer } from './support/access.ts';
import { expectOneNumber } from './support/documented-token.ts';
import { call, Listener, NUMERO, startGateway } from './support/gateway.ts';

const AUDIENCE = 'whatsapp-operadores';
const SECRET = 'un secreto de treinta y dos bytes o más';
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const other = generateKeyPairSync('rsa', { modulusLength: 2048 });
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const ed = generateKeyPairSync('ed25519');
const pem = (key: KeyObject) =>
  key.export({ type: key.type === 'public' ? 'spki' : 'pkcs8', format: 'pem' }).toString();
const bytes = (text: string) => new TextEncoder().encode(text);
const now = () => Math.floor(Date.now() / 1_000);

const CLAIMS = { name: 'Ana', may: ['see', 'start'], groups: ['Tienda'] };

function sign(key: KeyObject | Uint8Array, alg: string, claims: JWTPayload = {}): Promise<string> {
  const payload = { ...CLAIMS, aud: AUDIENCE, exp: now() + 600, ...claims };
  return new SignJWT(payload).setProtectedHeader({ alg }).sign(key);
}

/** Starts a gateway with the key of a file, which is returned. */
async function start(t: TestContext, key: string, options: GatewayOptions = {}) {
  const jwtKey = join(temporaryFolder(), 'key');
  writeFileSync(jwtKey, key, { mode: 0o600 });
  const sessions = [{ numero: NUMERO, state: 'connected' }] as const;
  return { gateway: await startGateway(t, { jwtKey, sessions, ...options }), jwtKey };
}

const SESSIONS = '/api/session/sessions';

describe("the portal's own tokens", () => {
  for (const [alg, { privateKey, publicKey }] of [
    ['RS256', rsa],
    ['ES256', ec],
    ['EdDSA', ed],
  ] as const) {
    test(`are admitted with ${alg}, and tell who comes and what that one may`, async (t) => {
      const { gateway } = await start(t, pem(publicKey));
      const headers = bearer(await sign(privateKey, alg));
      assert.deepEqual((await call(gateway, SESSIONS, { headers })).body, []);
      const refused = await call(gateway, `/api/session/${NUMERO}/unlink`, { method: 'POST', headers });
      assert.equal(refused.status, 403);
    });
  }

  test('are admitted with HS256: that of a user for one number, signed as the documentation says', (t) =>
    expectOneNumber(t, 'js', process.execPath, '--input-type=module'));

  test('are refused in every other form', async (t) => {
    const { gateway } = await start(t, pem(rsa.publicKey));
    const good = await sign(rsa.privateKey, 'RS256');
    const [head = '', payload = '', signature = ''] = good.split('.');
    const json = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const forged = json({ ...CLAIMS, aud: AUDIENCE, exp: now() + 600, may: ['see', 'delete'] });
    const wrong: Record<string, string> = {
      'without a signature': `${json({ alg: 'none' })}.${payload}.`,
      'with another algorithm in its head': `${json({ alg: 'none' })}.${payload}.${signature}`,
      'with other claims': `${head}.${forged}.${signature}`,
      'signed with another key': await sign(other.privateKey, 'RS256'),
      'signed with the public key as a secret': await sign(bytes(pem(rsa.publicKey)), 'HS256'),
      'signed with another algorithm of the key': await sign(rsa.privateKey, 'RS512'),
      'for another audience': await sign(rsa.privateKey, 'RS256', { aud: 'otro' }),
      'for no audience': await sign(rsa.privateKey, 'RS256', { aud: undefined }),
      'not yet valid': await sign(rsa.privateKey, 'RS256', { nbf: now() + 600 }),
      'without an end': await sign(rsa.privateKey, 'RS256', { exp: undefined }),
      'without a name': await sign(rsa.privateKey, 'RS256', { name: undefined }),
      'with a name that has an unseen letter': await sign(rsa.privateKey, 'RS256', { name: 'Ana\u3164' }),
      'without rights': await sign(rsa.privateKey, 'RS256', { may: undefined }),
      'with a text as rights': await sign(rsa.privateKey, 'RS256', { may: 'see' }),
      'with a text as groups': await sign(rsa.privateKey, 'RS256', { groups: 'Tienda' }),
    };
    for (const [what, token] of Object.entries(wrong)) {
      const { status, body } = await call(gateway, SESSIONS, { headers: bearer(token) });
      assert.equal(status, 401, what);
      assert.match(JSON.stringify(body), /El token de acceso no es correcto/, what);
    }
    const expired = await sign(rsa.privateKey, 'RS256', { exp: now() - 60 });
    const { status, body } = await call(gateway, SESSIONS, { headers: bearer(expired) });
    assert.equal(status, 401);
    assert.match(JSON.stringify(body), /El token de acceso caducó/);
    assert.equal((await call(gateway, SESSIONS, { headers: bearer(good) })).status, 200);
  });

  test('may be for an audience of the operator', async (t) => {
    const { gateway } = await start(t, pem(rsa.publicKey), { jwtAudience: 'norte' });
    const statusOf = async (aud: string) =>
      (await call(gateway, SESSIONS, { headers: bearer(await sign(rsa.privateKey, 'RS256', { aud })) }))
        .status;
    assert.equal(await statusOf('norte'), 200);
    assert.equal(await statusOf(AUDIENCE), 401);
  });

  test('end the connection when they end', async (t) => {
    const { gateway } = await start(t, pem(rsa.publicKey));
    mockTimers(t.mock, { apis: ['Date', 'setTimeout'], now: Date.now() });
    // When this process stalls, so does the time that the token lives.
    const beat = setInterval(() => t.mock.timers.tick(1), 1);
    t.after(() => clearInterval(beat));
    const token = await sign(rsa.privateKey, 'RS256', { exp: now() + 10 });
    const options = { auth: { token }, reconnection: false };
    const { socket } = await Listener.connect(t, gateway, '/', options);
    const ended = new Promise<string>((resolve) => socket.once('disconnect', resolve));
    // The clocks may differ by five seconds. No ping is due yet, whose answer would be late.
    t.mock.timers.tick(15_000);
    assert.equal(await ended, 'io server disconnect');
  });

  test('end when the key is replaced', async (t) => {
    const { gateway, jwtKey } = await start(t, pem(rsa.publicKey));
    const token = await sign(rsa.privateKey, 'RS256');
    const panel = await Listener.connect(t, gateway, '/', { auth: { token }, reconnection: false });
    writeFileSync(jwtKey, pem(other.publicKey));
    await until(() => !panel.socket.connected, 'the end of the connection');
    assert.equal((await call(gateway, SESSIONS, { headers: bearer(token) })).status, 401);
    const fresh = bearer(await sign(other.privateKey, 'RS256'));
    assert.equal((await call(gateway, SESSIONS, { headers: fresh })).status, 200);
  });

  test('are not admitted by a key that others can change, nor by a secret that they can read', () => {
    const jwtKey = join(temporaryFolder(), 'key');
    for (const [key, mode, verb] of [
      [pem(rsa.publicKey), 0o622, 'change'],
      [SECRET, 0o644, 'read'],
    ] as const) {
      writeFileSync(jwtKey, key);
      chmodSync(jwtKey, mode);
      assert.throws(() => new Access({ jwtKey }, createLogger('silent')), {
        name: 'SettingsFileError',
        message: new RegExp(`^Other users can ${verb} the file of --jwt-key\\. `),
      });
    }
  });

  for (const [what, key, sentence] of [
    ['a private key', pem(rsa.privateKey), /holds a private key/],
    ['a short secret', 'corto', /a secret of 32 bytes or more/],
    [
      'a damaged key',
      '-----BEGIN PUBLIC KEY-----\nxxx\n-----END PUBLIC KEY-----',
      /holds no key that can be used/,
    ],
    [
      'a short RSA key',
      pem(generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey),
      /RSA of 2048 bits/,
    ],
    ['another curve', pem(generateKeyPairSync('ec', { namedCurve: 'P-384' }).publicKey), /P-256/],
  ] as const) {
    test(`are not admitted by ${what}`, async (t) => {
      await assert.rejects(start(t, key), (error) => {
        assert.ok(error instanceof SettingsFileError);
        assert.match(error.message, sentence);
        assert.ok(!error.message.includes(key), 'quotes the key');
        return true;
      });
    });
  }
});
