import type { Page } from 'puppeteer-core';

/** A JPEG, in Base64. */
export type Picture = string;

/** How many pictures go to the page at a time. */
const AT_ONCE = 20;

/** Which pictures have no content below their upper fifth, where the panel's header and bar are; a page decodes them. */
export async function withoutContent(page: Page, pictures: readonly Picture[]): Promise<boolean[]> {
  const empty: boolean[] = [];
  for (let index = 0; index < pictures.length; index += AT_ONCE) {
    const shares = await page.evaluate(sharesOfEdges, pictures.slice(index, index + AT_ONCE));
    empty.push(...shares.map((share) => share < 0.001));
  }
  return empty;
}

/** The share of pixels that differ from their neighbour to the right: text has many. */
async function sharesOfEdges(some: readonly Picture[]): Promise<number[]> {
  const shares: number[] = [];
  for (const data of some) {
    const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes]));
    const { width, height } = bitmap;
    const context = new OffscreenCanvas(width, height).getContext('2d');
    if (!context) throw new Error('There is no canvas');
    context.drawImage(bitmap, 0, 0);
    const top = Math.floor(height / 5);
    const { data: pixels } = context.getImageData(0, top, width, height - top);
    let edges = 0;
    for (let at = 0; at + 5 < pixels.length; at += 4) {
      if (Math.abs((pixels[at + 1] ?? 0) - (pixels[at + 5] ?? 0)) > 32) edges += 1;
    }
    shares.push(edges / (pixels.length / 4));
  }
  return shares;
}
