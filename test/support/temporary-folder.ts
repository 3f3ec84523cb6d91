import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folders: string[] = [];
process.once('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/**
 * Makes a folder outside the project that is removed when this process ends. The end of a test is too early: hooks run in
 * the order in which they were registered, so what writes to the folder would be closed after it was removed.
 */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'wo-'));
  folders.push(folder);
  return folder;
}
