import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { UserFacingSocketConfig } from '@whiskeysockets/baileys';
import { BareClient } from './bare-client.ts';
import { type FakeWhatsapp, type FakeWhatsappOptions, startFakeWhatsapp } from './whatsapp.ts';

export interface World {
  whatsapp: FakeWhatsapp;
  /** Creates a client that ends with the test. */
  client(settings?: Partial<UserFacingSocketConfig>): BareClient;
}

/** A WhatsApp that ends with the test, and clients for it, which upload one-time keys only if asked to. */
export async function startWorld(t: TestContext, options?: FakeWhatsappOptions): Promise<World> {
  const whatsapp = await startFakeWhatsapp({ preKeys: 100, ...options });
  t.after(async () => {
    await whatsapp.close();
    assert.deepEqual(whatsapp.errors, []);
  });
  return {
    whatsapp,
    client(settings) {
      const client = new BareClient(whatsapp, settings);
      t.after(() => client.end());
      return client;
    },
  };
}
