import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { BinaryNode } from '@whiskeysockets/baileys';
import { until } from '../../../test/support/until.ts';
import { startWorld } from './fake/world.ts';

const NUMBER = '5215550001111';

describe('linking the real Baileys to the fake WhatsApp', () => {
  test('shows a QR code; after the scan it restarts and opens', async (t) => {
    const { whatsapp, client } = await startWorld(t, { preKeys: 0 });
    const phone = whatsapp.phone(NUMBER);
    const bare = client().connect();
    const qr = await bare.qr();
    assert.match(qr, /^https:\/\/wa\.me\/settings\/linked_devices#2@/);

    await phone.scan(qr);
    assert.ok(bare.updates.some(({ isNewLogin }) => isNewLogin));
    assert.equal(await bare.closed(), 515);
    await bare.connect().opened();

    assert.equal(bare.auth.creds.me?.id, `${NUMBER}:1@s.whatsapp.net`);
    assert.equal(phone.online, true);
    assert.equal(phone.devices[0]?.preKeys, 812);
  });

  test('reconnects with the same credentials, without a new QR code', async (t) => {
    const { whatsapp, client } = await startWorld(t);
    const bare = await client().link(NUMBER);
    await bare.end();
    await until(() => !whatsapp.phone(NUMBER).online, 'the device to be gone');
    await bare.connect().opened();

    assert.equal(whatsapp.registrations, 1);
    assert.equal(whatsapp.phone(NUMBER).logins, 2);
    assert.ok(!bare.updates.some(({ qr }) => qr));
  });

  test('renews the code until the refs are used up, then closes', async (t) => {
    const { client } = await startWorld(t, { refs: 3 });
    const bare = client({ qrTimeout: 20 }).connect();
    assert.equal(await bare.closed(), 408);
    assert.equal(new Set(bare.updates.flatMap(({ qr }) => qr ?? [])).size, 3);
  });

  test('shows another code for new refs, and closes when it gets none', async (t) => {
    const { whatsapp, client } = await startWorld(t);
    const bare = client().connect();
    const first = await bare.qr();
    whatsapp.renewCodes(6);
    const second = await bare.qr(first);
    await assert.rejects(whatsapp.phone(NUMBER).scan(first), /not valid/);

    whatsapp.renewCodes(0);
    assert.equal(await bare.closed(), 408);
    await assert.rejects(whatsapp.phone(NUMBER).scan(second), /not valid/);
  });

  test('is not linked by a code whose secret it was told to replace', async (t) => {
    const { whatsapp, client } = await startWorld(t);
    const phone = whatsapp.phone(NUMBER);
    const bare = client().connect();
    const code = await bare.qr();
    for (const causesRefresh of [true, false]) {
      phone.causesRefresh = causesRefresh;
      await assert.rejects(phone.scan(code), /Could not link/);
    }
    assert.deepEqual(phone.devices, []);
  });

  test('stops after the scan if the account requires a passkey', async (t) => {
    const { whatsapp, client } = await startWorld(t);
    const phone = whatsapp.phone(NUMBER);
    phone.asksForPasskey = true;
    const bare = client().connect();
    const notifications: BinaryNode[] = [];
    bare.socket.ws.on('CB:notification,type:passkey_prologue_request', (node) => notifications.push(node));
    await phone.scan(await bare.qr());
    await until(() => notifications.length === 1, 'the notification');
    assert.deepEqual(phone.devices, []);
  });

  test('gets no code when it is outdated', async (t) => {
    const { whatsapp, client } = await startWorld(t);
    whatsapp.refuseEverybody(405);
    const bare = client().connect();
    assert.equal(await bare.closed(), 405);
    whatsapp.refuseEverybody(undefined);
    await bare.connect().qr();
  });

  test('works for many clients at once', async (t) => {
    const { whatsapp, client } = await startWorld(t);
    const numbers = Array.from({ length: 10 }, (_, i) => `3460000000${i}`);
    await Promise.all(numbers.map((number) => client().link(number)));
    assert.ok(numbers.every((number) => whatsapp.phone(number).online));
  });
});

describe('a linked device', () => {
  for (const code of [401, 403, 405, 503]) {
    test(`whose login is refused with ${code} learns so`, async (t) => {
      const { whatsapp, client } = await startWorld(t);
      const bare = await client().link(NUMBER);
      whatsapp.refuseLogin(NUMBER, code);
      await bare.end();
      assert.equal(await bare.connect().closed(), code);
    });
  }

  test('that is unlinked on the phone is closed with 401, and cannot log in again', async (t) => {
    const { whatsapp, client } = await startWorld(t);
    const bare = await client().link(NUMBER);
    whatsapp.phone(NUMBER).unlink();
    assert.equal(await bare.closed(), 401);
    assert.equal(await bare.connect().closed(), 401);
  });

  test('that logs out is forgotten', async (t) => {
    const { whatsapp, client } = await startWorld(t);
    const bare = await client().link(NUMBER);
    await bare.socket.logout();
    await until(() => whatsapp.phone(NUMBER).devices.length === 0, 'the device to be forgotten');
    assert.equal(await bare.closed(), 401);
  });

  test('that logs in twice at once is counted, as are links and logins', async (t) => {
    const { whatsapp, client } = await startWorld(t);
    const phone = whatsapp.phone(NUMBER);
    const first = await client().link(NUMBER);
    assert.deepEqual([phone.links, phone.logins, phone.conflicts], [1, 1, 0]);
    await client({ auth: first.auth }).connect().opened();
    assert.equal(await first.closed(), 440);
    assert.deepEqual([phone.links, phone.logins, phone.conflicts], [1, 2, 1]);
  });

  test('that is replaced elsewhere is closed with 440', async (t) => {
    const { whatsapp, client } = await startWorld(t);
    const bare = await client().link(NUMBER);
    whatsapp.phone(NUMBER).replaceElsewhere();
    assert.equal(await bare.closed(), 440);
  });

  test('notices the end of its stream, and a cut connection', async (t) => {
    const { whatsapp, client } = await startWorld(t);
    const phone = whatsapp.phone(NUMBER);
    const bare = await client().link(NUMBER);
    for (const code of [428, 500, 503]) {
      phone.endStream(code);
      assert.equal(await bare.closed(), code);
      await bare.connect().opened();
    }
    phone.cutLine();
    assert.equal(await bare.closed(), 428);
  });

  test('cannot connect while WhatsApp is down, and logs in again afterwards', async (t) => {
    const { whatsapp, client } = await startWorld(t);
    const bare = await client().link(NUMBER);
    const { url } = whatsapp;
    await whatsapp.goDown();
    await bare.closed();
    assert.notEqual(await bare.connect().closed(), 401);
    await whatsapp.comeBack();
    assert.equal(whatsapp.url, url);
    await bare.connect().opened();
  });
});
