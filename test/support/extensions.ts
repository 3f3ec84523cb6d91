import { waitFor } from '@testing-library/dom';
import { expect } from 'chai';
import type { Extension } from '../../src/wire.ts';
import type { Gateway } from './gateway.ts';
import type { Panel } from './panel.ts';

/** Announces that the server can do these things and no others, all but `presence`; resolves when the panel knows it. */
export async function announce(
  gateway: Gateway,
  { element }: Panel,
  ...extensions: Exclude<Extension, 'presence'>[]
): Promise<void> {
  const asked = async () => (await gateway.requests('GET', '/api/session/sessions')).length;
  const before = await asked();
  // Pushes arrive in order, and one about a stranger makes the panel ask for the list.
  await gateway.pushAll([['server:extensions', { extensions }], ['session:ready:stranger']]);
  await waitFor(async () => expect(await asked()).to.be.above(before));
  // No earlier list changes anything after this one.
  await element.refresh();
}
