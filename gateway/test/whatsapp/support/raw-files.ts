import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Returns the files of the folder that contain the text, journals included. */
export function filesWith(folder: string, text: string): string[] {
  return readdirSync(folder).filter((file) => readFileSync(join(folder, file)).includes(text));
}
