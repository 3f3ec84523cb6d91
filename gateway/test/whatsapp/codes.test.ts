import assert from 'node:assert/strict';
import { describe, mock, test } from 'node:test';
import { initAuthCreds } from '@whiskeysockets/baileys';
import { AdvSecret } from '../../src/engines/whatsapp/adv-secret.ts';
import { Codes } from '../../src/engines/whatsapp/codes.ts';

/** Shows codes until there are enough; returns when each one ends, and the last one, in seconds from the first. */
function ends(life?: number): [one: number, all: number][] {
  const codes = new Codes(life);
  const told: [number, number][] = [];
  while (codes.add(told.length === 0)) {
    told.push([codes.expires / 1_000, codes.end / 1_000]);
    mock.timers.setTime(codes.expires);
  }
  return told;
}

describe('the codes of a start', () => {
  test('live as in WhatsApp Web: the first for 60 seconds, each other for 20', (t) => {
    t.after(() => mock.timers.reset());
    mock.timers.enable({ apis: ['Date'], now: 0 });
    assert.deepEqual(
      ends(),
      [60, 80, 100, 120, 140, 160].map((end) => [end, 160]),
    );
  });

  test('live as long as is configured', (t) => {
    t.after(() => mock.timers.reset());
    mock.timers.enable({ apis: ['Date'], now: 0 });
    assert.deepEqual(
      ends(30_000),
      [30, 60, 90, 120, 150, 180].map((end) => [end, 180]),
    );
  });
});

describe('the secret of a code to scan', () => {
  const withSecret = (ref: string, secret: string) => `https://wa.me/#${ref},noise,identity,${secret},1`;
  const begin = () => {
    const creds = initAuthCreds();
    return { creds, first: creds.advSecretKey, secret: new AdvSecret(creds) };
  };

  test('is in that code, drawn anew, and in all that follow once it was replaced', () => {
    const { creds, first, secret } = begin();
    assert.equal(secret.draw(withSecret('one', first)), withSecret('one', first));
    const secrets = new Set([first]);
    for (let count = 0; count < 3; count++) {
      assert.equal(secret.replace(), withSecret('one', creds.advSecretKey));
      assert.equal(Buffer.from(creds.advSecretKey, 'base64').length, 32);
      secrets.add(creds.advSecretKey);
    }
    assert.equal(secrets.size, 4);
    // The library goes on with the first one.
    assert.equal(secret.draw(withSecret('two', first)), withSecret('two', creds.advSecretKey));
  });

  test('is replaced before there is a code as well', () => {
    const { creds, first, secret } = begin();
    assert.equal(secret.replace(), undefined);
    assert.notEqual(creds.advSecretKey, first);
    assert.equal(secret.draw(withSecret('one', first)), withSecret('one', creds.advSecretKey));
  });

  test('is kept once it is that of a code to type that the phone has answered, or of a linked phone', () => {
    for (const needed of [{ advSecretKey: 'derived' }, { account: {} }]) {
      const { creds, first, secret } = begin();
      secret.draw(withSecret('one', first));
      Object.assign(creds, needed);
      const { advSecretKey } = creds;
      assert.equal(secret.replace(), undefined);
      assert.equal(creds.advSecretKey, advSecretKey);
    }
  });
});
