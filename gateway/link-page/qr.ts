import { encode } from 'uqr';

/** Modules of white around the code that scanners need (ISO/IEC 18004). */
const QUIET_ZONE = 4;
const SVG = 'http://www.w3.org/2000/svg';

/** Draws a QR code at level H, as the panel does. Throws for a text that no code can hold. */
export function drawQr(text: string, title: string): SVGSVGElement {
  const { data, size } = encode(text, { ecc: 'H', border: QUIET_ZONE });
  // A rectangle for each run of dark modules: single ones would show seams.
  let path = '';
  data.forEach((row, y) => {
    for (let x = 0; x < size; x += 1) {
      if (!row[x]) continue;
      const from = x;
      while (row[x + 1]) x += 1;
      path += `M${from} ${y}h${x + 1 - from}v1h${from - x - 1}z`;
    }
  });
  const svg = element('svg', { viewBox: `0 0 ${size} ${size}`, role: 'img', 'aria-label': title });
  svg.append(
    element('path', { fill: '#fff', d: `M0 0h${size}v${size}h-${size}z` }),
    element('path', { d: path, 'shape-rendering': 'crispEdges' }),
  );
  return svg;
}

function element<Name extends keyof SVGElementTagNameMap>(
  name: Name,
  attributes: Record<string, string>,
): SVGElementTagNameMap[Name] {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}
