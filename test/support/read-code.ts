import jsQR from 'jsqr';
import type { ElementHandle } from 'puppeteer-core';

/** Reads the QR code on the screen at an element as a phone's camera would: from its pixels. */
export async function readCode(element: ElementHandle<Element>): Promise<string | undefined> {
  const png = await element.screenshot({ encoding: 'base64' });
  // It takes a browser to decode its own screenshot.
  const { data, width, height } = await element.evaluate(async (_, source) => {
    const bytes = Uint8Array.from(atob(source), (character) => character.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
    context?.drawImage(bitmap, 0, 0);
    const pixels = context?.getImageData(0, 0, bitmap.width, bitmap.height);
    return { data: [...(pixels?.data ?? [])], width: bitmap.width, height: bitmap.height };
  }, png);
  return jsQR(Uint8ClampedArray.from(data), width, height)?.data;
}
