import { waitFor } from '@testing-library/dom';
import { setViewport } from '@web/test-runner-commands';
import { expect } from 'chai';
import { isWebKit } from './browser.ts';
import type { Panel } from './panel.ts';

/** The toolbar of WebKitGTK's window takes that much. */
const NARROWEST = isWebKit ? 447 : 0;

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Gives the window a size, and waits until the page has it. */
export async function setWindow({ width, height }: Size): Promise<void> {
  await setViewport({ width, height });
  await waitFor(() => expect([innerWidth, innerHeight]).to.deep.equal([width, height]));
}

/** Shows a panel in a window of that size; where the window cannot be so narrow, the panel alone is. */
export async function resize({ element }: Panel, width: number, height: number): Promise<void> {
  await setWindow({ width: Math.max(width, NARROWEST), height });
  element.style.maxWidth = width < NARROWEST ? `${width}px` : '';
}
