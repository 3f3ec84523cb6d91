import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as library from '@whiskeysockets/baileys';
import {
  handoffKey,
  InvalidIdentity,
  PasskeyExchange,
  sealPairingRequest,
} from '../../src/engines/whatsapp/passkey-exchange.ts';
import { misfitOf, readOptions, writeSignature } from '../../src/engines/whatsapp/passkey-signature.ts';
import { type Signing, signed } from '../support/passkey.ts';

/** A worked example that was computed by other code, with keys of equal bytes. */
const VECTORS = {
  companionPublic: '7b0d47d93427f8311160781c7c733fd89f88970aef490d8aa0ee19a4cb8a1b14',
  noisePublic: '1cf579aba45a10ba1d1ef06d91fca2aa9ed0a1150515653155405d0b18cb9a67',
  identityPublic: '30d3c865a48fceb3d6118577cf2e5f228d6ff69866264757785b253cb7a4806a',
  handoffKey: 'f7183666959b6fdd4a7f7d12bb3c71aa64d62f42f1653601cedb881a3bb7e744',
  payload:
    '0a380a207b0d47d93427f8311160781c7c733fd89f88970aef490d8aa0ee19a4cb8a1b1410011a12324066616b652d706173736b65792d726566' +
    '12220a208567c1235fc875a04dd53af5223f6673897c03aa0999a3fb38d475a3869b33d6',
  proof: '691481e9e8578d0f13a90716bf4556324313bed75699cd6d032f20db430968cf',
  primaryIdentity: `0a2038ab664bd86f77d7e66bdd9ae0792913a94fd8b33a1260027e4b46c1f4884c671220${'66'.repeat(32)}`,
  code: '42DK-PJN4',
  key: '6adf1057eb654856ad17a69c3d8f31293de573b9fd9f4ff66c9d186b22271599',
  request:
    '0a76bd57bdfca8a62a250bf8f27e45181b14e7e8f9eb214ee702f8c8a3af51daad7de07f65426780d8073ec9c943b3c51e302408faacfd7db4f654539c3572b9' +
    'cb357315b4258c4c952af2cab283e8fb11d11f8c203e3ebff53052a9197492b69a4f758995241232609c004e3fd6e9ef1baa84b27458c908120c' +
    '99'.repeat(12),
  assertion:
    '{"id":"Y3JlZGVudGlhbC0x","rawId":"Y3JlZGVudGlhbC0x","type":"public-key","response":{"clientDataJSON":"eyJ0eXBlIjoid2ViYXV0aG4uZ2V0IiwiY2hhbGxlbmdlIjoiR0M2dmNKZ1AtT3ZfNjZ5Zldnb2gxdzhtX3RyUjkyQm5GRGhnLWU1SkV3ayIsIm9yaWdpbiI6Imh0dHBzOi8vd2ViLndoYXRzYXBwLmNvbSIsImNyb3NzT3JpZ2luIjpmYWxzZX0","authenticatorData":"6GiQbHMCCZZu_0CMVdeBYw_LPJ3pYenpc4tN0OD9Xn8FAAAAAA","signature":"c2lnbmF0dXJl","userHandle":null}}',
};
const bytes = (hex: string) => Buffer.from(hex, 'hex');
const fill = (byte: number) => Buffer.alloc(32, byte);
const hex = (data: Uint8Array) => Buffer.from(data).toString('hex');

describe('the exchange of keys after a passkey', () => {
  const keys = { private: fill(0x33), public: bytes(VECTORS.companionPublic) };
  const exchange = new PasskeyExchange(library, '2@fake-passkey-ref', keys, fill(0x44));
  const secret = (byte: number) => fill(byte).toString('base64');

  test('is that of a worked example', () => {
    const key = handoffKey(library, secret(0x11));
    assert.equal(hex(key), VECTORS.handoffKey);
    assert.equal(hex(exchange.payload), VECTORS.payload);
    assert.equal(hex(library.hmacSign(exchange.payload, key)), VECTORS.proof);
    const agreed = exchange.agree(bytes(VECTORS.primaryIdentity));
    assert.deepEqual([agreed.code, hex(agreed.key)], [VECTORS.code, VECTORS.key]);
    const pair = (publicKey: string) => ({ public: bytes(publicKey), private: fill(0) });
    const creds = {
      noiseKey: pair(VECTORS.noisePublic),
      signedIdentityKey: pair(VECTORS.identityPublic),
      advSecretKey: secret(0x22),
    };
    assert.equal(
      hex(sealPairingRequest(library, creds, agreed.key, Buffer.alloc(12, 0x99))),
      VECTORS.request,
    );
  });

  test('takes other keys, another nonce and another vector each time', () => {
    const [one, other] = [1, 2].map(() => new PasskeyExchange(library, 'ref'));
    assert.notEqual(one?.nonce.toString('hex'), other?.nonce.toString('hex'));
    assert.notDeepEqual(one?.payload, other?.payload);
  });

  test('takes no key and no nonce of another length, no key without effect, and no other bytes', () => {
    const { PrimaryEphemeralIdentity } = library.proto;
    const good = { publicKey: fill(0x55), nonce: fill(0x66) };
    for (const bad of [
      { publicKey: fill(0) },
      { publicKey: Buffer.alloc(33, 5) },
      { nonce: Buffer.alloc(31) },
    ]) {
      const identity = PrimaryEphemeralIdentity.encode({ ...good, ...bad }).finish();
      assert.throws(() => exchange.agree(identity), InvalidIdentity);
    }
    assert.throws(() => exchange.agree(Buffer.alloc(40, 0xff)));
  });
});

describe('what a passkey signs', () => {
  const OPTIONS = {
    challenge: 'GC6vcJgP-Ov_66yfWgoh1w8m_trR92BnFDhg-e5JEwk',
    rpId: 'whatsapp.com',
    timeout: 600_000,
  };
  const read = (options: unknown) => readOptions(Buffer.from(JSON.stringify(options)));

  test('is passed on whole, if it is of WhatsApp', () => {
    assert.deepEqual(read(OPTIONS), OPTIONS);
    assert.deepEqual(read({ ...OPTIONS, rpId: 'web.whatsapp.com' })?.rpId, 'web.whatsapp.com');
    for (const rpId of [
      'example.com',
      'notwhatsapp.com',
      'whatsapp.com.example',
      'whatsappxcom',
      undefined,
    ]) {
      assert.equal(read({ ...OPTIONS, rpId }), undefined, String(rpId));
    }
    for (const odd of [{ ...OPTIONS, challenge: '' }, { ...OPTIONS, more: 'x'.repeat(4_096) }, null, []]) {
      assert.equal(read(odd), undefined);
    }
    assert.equal(readOptions(Buffer.from('{')), undefined);
  });

  test('is sent with its six fields alone, without padding', () => {
    const { response, ...rest } = JSON.parse(VECTORS.assertion);
    const padded = {
      ...response,
      signature: 'c2lnbmF0dXJl==',
      authenticatorData: response.authenticatorData.replaceAll('_', '/'),
    };
    const more = {
      ...rest,
      authenticatorAttachment: 'platform',
      response: { ...padded, userHandle: null, more: 1 },
    };
    assert.equal(String(writeSignature(more)), VECTORS.assertion);
  });

  const MISFITS: [what: string, said: Signing, misfit: string | undefined][] = [
    ['nothing', {}, undefined],
    ['a padded challenge', { challenge: `${OPTIONS.challenge}=` }, undefined],
    ['another challenge', { challenge: 'AAAA' }, 'challenge'],
    ['another site', { origin: 'https://web.whatsapp.com.example' }, 'clientDataJSON'],
    ['another act', { type: 'webauthn.create' }, 'clientDataJSON'],
    ['another party', { rpId: 'example.com' }, 'authenticatorData'],
    ['a person who was not there', { flags: 0x04 }, 'authenticatorData'],
    ['a person who has not proved it', { flags: 0x01 }, 'authenticatorData'],
  ];
  for (const [what, said, misfit] of MISFITS) {
    test(`does not go to WhatsApp where it must be refused: ${what}`, () => {
      assert.equal(misfitOf(signed(OPTIONS, said), OPTIONS), misfit);
    });
  }

  test('does not go to WhatsApp where it cannot be read', () => {
    const { response, ...rest } = signed(OPTIONS);
    for (const bad of [{ clientDataJSON: 'AAAA' }, { authenticatorData: 'AAAA' }]) {
      assert.ok(misfitOf({ ...rest, response: { ...response, ...bad } }, OPTIONS));
    }
    assert.equal(misfitOf({ ...rest, rawId: 'AAAA', response }, OPTIONS), 'id');
  });
});
