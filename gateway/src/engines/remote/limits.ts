import { Type } from 'typebox';

/*
 * Limits on what another server may send: a broken or hostile one must neither delay other sessions nor fill the
 * memory.
 */

/** Bytes of an answer that is a list, of any other, and of an event: that of a new link has the history. */
export const LONGEST = { list: 8 * 1_048_576, other: 262_144, event: 4 * 1_048_576 };

/** Items of a list, and parts of any other answer or event: longer ones are dropped whole. */
export const LONGEST_LIST = 20_000;

/** Levels of nested arrays and objects: deeper ones take seconds to parse. */
const DEEPEST = 32;

/** Returns which limit a JSON text exceeds, without parsing it; undefined if none. */
export function excessIn(text: string): string | undefined {
  let depth = 0;
  let items = 1;
  for (let place = 0; place < text.length; place += 1) {
    switch (text[place]) {
      case '"':
        place = endOfString(text, place);
        break;
      case '[':
      case '{':
        depth += 1;
        if (depth > DEEPEST) return 'nested too deeply';
        break;
      case ']':
      case '}':
        depth -= 1;
        break;
      case ',':
        if (depth === 1) items += 1;
    }
  }
  return items > LONGEST_LIST ? `${items} sessions` : undefined;
}

/** Returns the end of the string that begins at an index. */
function endOfString(text: string, begin: number): number {
  let place = begin + 1;
  while (place < text.length && text[place] !== '"') place += text[place] === '\\' ? 2 : 1;
  return place;
}

/**
 * A code to scan, of which version 40-L holds so many bytes (ISO/IEC 18004, "Symbol capacity"), and one to type: in
 * printable ASCII, as WhatsApp's are, whose characters are bytes that every store and screen takes.
 */
export const CODE = {
  scan: Type.String({ pattern: '^[ -~]{1,2953}$' }),
  type: Type.String({ pattern: '^[ -~]{0,16}$' }),
};

/** Characters of the name of a session, or of a word for its state. */
export const LONGEST_NAME = 256;
