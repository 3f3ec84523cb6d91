/** The least width of an image of a code, in pixels: enough to be printed. */
const SIDE = 1000;

/** Draws a code that is on the screen, with its quiet zone; each module is a whole number of pixels. */
export function drawCode(code: SVGSVGElement): HTMLCanvasElement {
  const modules = code.viewBox.baseVal.width;
  const scale = Math.ceil(SIDE / modules);
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = modules * scale;
  const context = canvas.getContext('2d');
  context?.scale(scale, scale);
  for (const path of code.querySelectorAll('path')) {
    if (!context) break;
    context.fillStyle = path.getAttribute('fill') ?? '';
    context.fill(new Path2D(path.getAttribute('d') ?? ''));
  }
  return canvas;
}

/** Whether the browser can copy images: not on a page that came by plain HTTP. */
export const canCopy = (): boolean => typeof ClipboardItem !== 'undefined';

/** Copies an image to the clipboard. Rejects where the browser or the page's policy does not allow it. */
export function copy(image: HTMLCanvasElement): Promise<void> {
  const png = new Promise<Blob>((resolve, reject) => {
    image.toBlob((blob) => (blob ? resolve(blob) : reject()));
  });
  // A promise of the image: Safari allows no write once the click is over.
  return navigator.clipboard.write([new ClipboardItem({ 'image/png': png })]);
}
