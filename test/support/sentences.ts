import * as texts from '../../src/texts/sentences.ts';

/** Every sentence of the panel once, in the order of its file's names. */
export const SENTENCES: readonly string[] = [...new Set(stringsIn(texts))];

/** The strings in a value, however deep. */
function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value ? Object.values(value).flatMap(stringsIn) : [];
}
