import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The files of the folder in which the text can be read, journals included. */
export function filesWith(folder: string, text: string): string[] {
  return readdirSync(folder).filter((file) => readFileSync(join(folder, file)).includes(text));
}
