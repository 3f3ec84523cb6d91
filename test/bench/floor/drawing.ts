import { encode } from 'uqr';
import * as texts from '../../../src/texts/sentences.ts';
import { createTranslate } from '../../../src/texts/translate.ts';
import { cloneOf } from './template.ts';

const t = createTranslate();

/** Modules of white around the code, as on the panel's cards. */
const QUIET_ZONE = 4;

/** Draws a code at level H into its box, in place of the one that is there. */
export function drawCode(box: HTMLElement, text: string, numero: string): void {
  const { data } = encode(text, { ecc: 'H', border: 0 });
  const size = data.length + 2 * QUIET_ZONE;
  let drawing = box.querySelector('svg');
  if (!drawing) {
    box.prepend(cloneOf('drawing'));
    drawing = box.querySelector('svg');
    const title = drawing?.querySelector('title');
    if (title) title.textContent = t(texts.qrCode, numero);
  }
  drawing?.setAttribute('viewBox', `0 0 ${size} ${size}`);
  const [background, modules] = drawing?.querySelectorAll('path') ?? [];
  background?.setAttribute('d', `M0,0 h${size}v${size}H0z`);
  modules?.setAttribute('d', pathOf(data));
}

/** One rectangle for each run of black modules in a row. */
function pathOf(rows: readonly (readonly boolean[])[]): string {
  let path = '';
  rows.forEach((row, y) => {
    for (let x = 0; x < row.length; x += 1) {
      if (!row[x]) continue;
      const from = x;
      while (row[x + 1]) x += 1;
      const length = x + 1 - from;
      path += `M${from + QUIET_ZONE} ${y + QUIET_ZONE}h${length}v1H${from + QUIET_ZONE}z`;
    }
  });
  return path;
}
