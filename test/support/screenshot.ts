import { waitFor } from '@testing-library/dom';
import { executeServerCommand } from '@web/test-runner-commands';
import { nextFrame } from './frame.ts';
import type { Clip, Picture } from './screenshot-plugin.ts';

/** So many, and the first picture is nearly always good: each one costs as much as ten frames. */
const FRAMES = 3;

/** The pixels of an element as they are on the screen, whatever lies above it included. */
export async function screenshot(element: Element, scale = 2): Promise<ImageData> {
  element.scrollIntoView({ block: 'center', behavior: 'instant' });
  const mark = markCorner();
  for (let frame = 0; frame < FRAMES; frame += 1) await nextFrame();
  const { x, y, width, height } = element.getBoundingClientRect();
  const clip: Clip = { x: x + scrollX, y: y + scrollY, width, height, scale };
  try {
    return await waitFor(async () => {
      const { png, whole } = await executeServerCommand<Picture, Clip>('screenshot', clip);
      const picture = await read(png);
      if (!whole) return cut(picture);
      const fine = picture.width / innerWidth;
      if (!mark.isIn(picture)) throw new Error('The picture is not up to date.');
      return cut(picture, x * fine, y * fine, width * fine, height * fine);
    });
  } finally {
    mark.remove();
  }
}

/** Side in CSS pixels. */
const MARK = 4;

/**
 * WebKitGTK gives the picture that its compositor put together last, which is late under load. It is of now when a
 * mark in a colour of its own is at the corner of the screen: one that scrolls with the page, since the compositor
 * scrolls in its own time too.
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
  // Whole pixels, or all of them would be blurred.
  context.drawImage(picture, -Math.trunc(x), -Math.trunc(y));
  return context.getImageData(0, 0, width, height);
}
