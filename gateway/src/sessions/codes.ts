import type { EngineEvent, Report } from './engine.ts';

/** Capacity of a code to scan, in bytes: version 40-L in byte mode (ISO/IEC 18004, "Symbol capacity"). */
const LONGEST_TO_SCAN = 2_953;
/** Longest code to type. */
const LONGEST_TO_TYPE = 16;

/** Whether a code to scan can be shown: in WhatsApp's own codes, every character is a byte. */
function isScannable(code: string): boolean {
  return isPrintable(code) && code.length <= LONGEST_TO_SCAN;
}

/** Whether a code to type can be shown. */
export function isTypable(code: string): boolean {
  return isPrintable(code) && code.length <= LONGEST_TO_TYPE;
}

/** In ASCII. */
function isPrintable(text: string): boolean {
  return /^[\x20-\x7e]+$/.test(text);
}

/** Returns a report that drops codes which cannot be shown: the first in a row becomes a delay until the next code. */
export function onlyShowable(report: Report): Report {
  let isOdd = false;
  return (event) => {
    if (event.type === 'pairing' && event.pairing && !isTypable(event.pairing.code)) return;
    const told: EngineEvent =
      event.type === 'qr' && !isScannable(event.code) ? { type: 'delayed', reason: 'odd-code' } : event;
    const isToldAgain = told !== event && isOdd;
    isOdd = told !== event;
    if (!isToldAgain) report(told);
  };
}
