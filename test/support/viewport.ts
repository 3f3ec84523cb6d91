import { waitFor } from '@testing-library/dom';
import { setViewport } from '@web/test-runner-commands';
import { expect } from 'chai';
import { isWebKit } from './browser.ts';
import { nextFrame } from './frame.ts';
import type { Panel } from './panel.ts';

/** The least width of WebKitGTK's window, with its toolbar. */
const NARROWEST = isWebKit ? 447 : 0;

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Resizes the window, and waits until the page has that size and has been told. */
export async function setWindow({ width, height }: Size): Promise<void> {
  await setViewport({ width, height });
  await waitFor(() => expect([innerWidth, innerHeight]).to.deep.equal([width, height]));
  // The event comes with it.
  await nextFrame();
}

/** Resizes the window, or the panel alone where the window cannot be so narrow. */
export async function resize({ element }: Panel, width: number, height: number): Promise<void> {
  await setWindow({ width: Math.max(width, NARROWEST), height });
  element.style.maxWidth = width < NARROWEST ? `${width}px` : '';
}
