import jsQR, { type QRCode } from 'jsqr';
import { screenshot } from './screenshot.ts';

type ErrorCorrection = 'L' | 'M' | 'Q' | 'H';

interface DecodedQr {
  readonly text: string;
  readonly version: number;
  readonly level: ErrorCorrection;
}

/**
 * Reads the QR code on the screen at an element from its pixels, dark on light only: many phones do not read an
 * inverted code.
 * @returns null where no code with a text can be read
 */
export async function decodeQr(element: Element, scale = 2): Promise<DecodedQr | null> {
  const pixels = await screenshot(element, scale);
  const code = jsQR(pixels.data, pixels.width, pixels.height, { inversionAttempts: 'dontInvert' });
  // jsQR sometimes finds a code without text where there is none: https://github.com/cozmo/jsQR/issues/90.
  return code?.data ? { text: code.data, version: code.version, level: readLevel(pixels, code) } : null;
}

/** Levels in the order of their two bits (ISO/IEC 18004, table 12). */
const LEVELS = ['M', 'L', 'H', 'Q'] as const;
/** The first two bits of the mask over the format information (ISO/IEC 18004, 7.9). */
const FORMAT_MASK = 0b10;

/** Reads the level, which jsQR does not report, from the first two modules of the ninth row. */
function readLevel(pixels: ImageData, { version, location }: QRCode): ErrorCorrection {
  const {
    topLeftFinderPattern: origin,
    topRightFinderPattern: right,
    bottomLeftFinderPattern: down,
  } = location;
  const size = 17 + 4 * version;
  // The centres of the finder patterns lie 3.5 modules from the edges.
  const isDark = (column: number, row: number) => {
    const across = (column - 3) / (size - 7);
    const along = (row - 3) / (size - 7);
    const x = Math.floor(origin.x + across * (right.x - origin.x) + along * (down.x - origin.x));
    const y = Math.floor(origin.y + across * (right.y - origin.y) + along * (down.y - origin.y));
    return (pixels.data[4 * (y * pixels.width + x)] ?? 255) < 128;
  };
  const bits = (isDark(0, 8) ? 2 : 0) + (isDark(1, 8) ? 1 : 0);
  const level = LEVELS[bits ^ FORMAT_MASK];
  if (!level) throw new Error(`No error-correction level has the bits ${bits}`);
  return level;
}
