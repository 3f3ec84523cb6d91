import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Scope } from './scope.ts';

/** Makes a folder outside the project that is removed with the scope. */
export function temporaryFolder(scope: Scope): string {
  const folder = mkdtempSync(join(tmpdir(), 'wo-'));
  scope.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
