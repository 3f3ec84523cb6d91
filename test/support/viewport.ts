import { setViewport } from '@web/test-runner-commands';
import { isWebKit } from './browser.ts';
import type { Panel } from './panel.ts';
import { until } from './until.ts';

/** The toolbar of WebKitGTK's window takes that much. */
const NARROWEST = isWebKit ? 447 : 0;

/** Shows a panel in a window of that size; where the window cannot be so narrow, the panel alone is. */
export async function resize({ element }: Panel, width: number, height: number): Promise<void> {
  const size = { width: Math.max(width, NARROWEST), height };
  await setViewport(size);
  await until(() => innerWidth === size.width && innerHeight === height, 'the window to have its size');
  element.style.maxWidth = width < NARROWEST ? `${width}px` : '';
}
