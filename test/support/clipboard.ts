/** The clipboard of the system. */
import { waitFor } from '@testing-library/dom';
import { executeServerCommand } from '@web/test-runner-commands';
import { expect } from 'chai';
import type { ClipboardCall } from './clipboard-plugin.ts';
import { chord } from './input.ts';

const command = (call: ClipboardCall) =>
  executeServerCommand<{ result: boolean }, ClipboardCall>('clipboard', call);

let isHeld = false;

/**
 * Waits until no other test holds the clipboard, and holds it until this test ends or releases it: all files share one. What
 * takes long comes before or after: others wait.
 */
export async function holdClipboard(): Promise<void> {
  await waitFor(async () => expect((await command('hold')).result, 'the clipboard is free').to.equal(true));
  isHeld = true;
}

export async function releaseClipboard(): Promise<void> {
  if (isHeld) await command('release');
  isHeld = false;
}

afterEach(releaseClipboard);

/** Copies a text, as from another page. */
export async function copy(text: string): Promise<void> {
  const source = document.createElement('textarea');
  source.value = text;
  document.body.append(source);
  source.select();
  await chord('Control', 'c');
  source.remove();
}

/** What a paste into another field of the page gives. */
export async function pasted(): Promise<string> {
  const target = document.createElement('textarea');
  document.body.append(target);
  target.focus();
  await chord('Control', 'v');
  target.remove();
  return target.value;
}
