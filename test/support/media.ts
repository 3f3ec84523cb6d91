import { waitFor } from '@testing-library/dom';
import { executeServerCommand } from '@web/test-runner-commands';
import { expect } from 'chai';
import type { Media } from './media-plugin.ts';

let emulating = false;

/** Emulates media features until the end of the test. */
export async function emulate(media: Media): Promise<void> {
  emulating = true;
  await executeServerCommand<boolean, Media>('media', media);
  const wanted = {
    print: media.type === 'print',
    '(prefers-color-scheme: dark)': media.colorScheme === 'dark',
    '(prefers-reduced-motion: reduce)': media.reducedMotion === true,
    '(forced-colors: active)': media.forcedColors === true,
  };
  await waitFor(() => {
    for (const [query, is] of Object.entries(wanted)) expect(matchMedia(query).matches, query).to.equal(is);
  });
}

afterEach(async () => {
  if (!emulating) return;
  await emulate({});
  emulating = false;
});
