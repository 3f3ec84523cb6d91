import { waitFor } from '@testing-library/dom';
import { executeServerCommand } from '@web/test-runner-commands';
import { nextFrame } from './frame.ts';
import { PATIENCE } from './patience.ts';
import type { Clip, Picture } from './screenshot-plugin.ts';

/** Frames before the first picture, which makes it nearly always right; a picture takes as long as ten. */
const FRAMES = 3;
/** Where no panel is tested, nothing else replaces the library's second, in which a busy machine may take no picture. */
const OPTIONS = { timeout: PATIENCE };

/** The pixels on the screen at an element, including whatever covers it. */
export async function screenshot(element: Element, scale = 2): Promise<ImageData> {
  element.scrollIntoView({ block: 'center', behavior: 'instant' });
  const mark = markCorner();
  for (let frame = 0; frame < FRAMES; frame += 1) await nextFrame();
  const { x, y, width, height } = element.getBoundingClientRect();
  if (!element.isConnected) {
    mark.remove();
    throw new Error('The element has been replaced.');
  }
  const clip: Clip = { x: x + scrollX, y: y + scrollY, width, height, scale };
  try {
    return await waitFor(async () => {
      const { png, whole } = await executeServerCommand<Picture, Clip>('screenshot', clip);
      const picture = await read(png);
      if (!whole) return cut(picture);
      const fine = picture.width / innerWidth;
      if (!mark.isIn(picture)) throw new Error('The picture is not up to date.');
      return cut(picture, x * fine, y * fine, width * fine, height * fine);
    }, OPTIONS);
  } finally {
    mark.remove();
  }
}

/** Side in CSS pixels. */
const MARK = 4;

/**
 * Draws a mark in a random colour at the corner of the screen. WebKitGTK gives the compositor's last picture, which may
 * be out of date under load; it is current if it has the mark, which scrolls with the page since scrolling may lag too.
 */
function markCorner() {
  const colour = Array.from(crypto.getRandomValues(new Uint8Array(3)));
  const mark = document.createElement('div');
  mark.popover = 'manual'; // above an open dialog
  mark.style.cssText = `position: absolute; inset: auto; left: ${scrollX}px; top: ${scrollY}px; margin: 0; border: 0;
    padding: 0; width: ${MARK}px; height: ${MARK}px; background: rgb(${colour.join()})`;
  document.body.append(mark);
  mark.showPopover();
  return {
    remove: () => mark.remove(),
    isIn(picture: ImageBitmap): boolean {
      const { data } = cut(picture, MARK / 2, MARK / 2, 1, 1);
      return colour.every((part, index) => part === data[index]);
    },
  };
}

async function read(png: string): Promise<ImageBitmap> {
  const picture = await fetch(`data:image/png;base64,${png}`);
  return createImageBitmap(await picture.blob());
}

function cut(picture: ImageBitmap, x = 0, y = 0, width = picture.width, height = picture.height): ImageData {
  const context = new OffscreenCanvas(Math.trunc(width), Math.trunc(height)).getContext('2d');
  if (!context) throw new Error('This browser gives no 2d canvas.');
  // Fractions of a pixel would blur the picture.
  context.drawImage(picture, -Math.trunc(x), -Math.trunc(y));
  return context.getImageData(0, 0, width, height);
}
