import { executeServerCommand } from '@web/test-runner-commands';
import type { Media } from './media-plugin.ts';
import { until } from './until.ts';

let emulating = false;

/** Shows the page as to a person with these settings of the system, until the end of the test. */
export async function emulate(media: Media): Promise<void> {
  emulating = true;
  await executeServerCommand<boolean, Media>('media', media);
  const wanted = {
    '(prefers-color-scheme: dark)': media.colorScheme === 'dark',
    '(prefers-reduced-motion: reduce)': media.reducedMotion === true,
    '(forced-colors: active)': media.forcedColors === true,
  };
  await until(
    () => Object.entries(wanted).every(([query, is]) => matchMedia(query).matches === is),
    'the page to be told of the settings',
  );
}

afterEach(async () => {
  if (!emulating) return;
  await emulate({});
  emulating = false;
});
