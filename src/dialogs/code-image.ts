/** Pixels that an image of a code has at least on a side: enough to be printed. */
const SIDE = 1000;

/** Draws a code that is on the screen, with its quiet zone, in whole pixels for each module. */
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

/** Gives an image to the operator as a file. */
export function download(image: HTMLCanvasElement, name: string): void {
  const link = document.createElement('a');
  link.href = image.toDataURL();
  link.download = name;
  link.click();
}

/** Whether there is a clipboard for images: not on a page that came by plain HTTP. */
export const canCopy = (): boolean => typeof ClipboardItem !== 'undefined';

/** Rejects where the browser or the page's policy does not let it. */
export function copy(image: HTMLCanvasElement): Promise<void> {
  const png = new Promise<Blob>((resolve, reject) => {
    image.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no image'))));
  });
  // A promise of it, since Safari lets nobody write once the press of the button is over.
  return navigator.clipboard.write([new ClipboardItem({ 'image/png': png })]);
}
