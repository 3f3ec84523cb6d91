import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Scope } from './scope.ts';

/** A folder of its own, far from this project's packages, that goes with the scope. */
export function temporaryFolder(scope: Scope): string {
  const folder = mkdtempSync(join(tmpdir(), 'wo-'));
  scope.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
