/**
 * Fails if a package of a lock has no integrity hash: `node scripts/check-lock.mjs [FILE…]`, by default for all locks of the
 * project. To be run before `npm ci`, which installs such packages silently.
 */
import { readFileSync } from 'node:fs';

const LOCKS = ['package-lock.json', 'test/nightly/package-lock.json'];

const files = process.argv.slice(2);
for (const file of files.length > 0 ? files : LOCKS) {
  const { packages } = JSON.parse(readFileSync(file, 'utf8'));
  // The project itself has none, and neither has a linked package, which is the project's own.
  const unverified = Object.entries(packages)
    .filter(([path, { integrity, link }]) => path.includes('node_modules/') && !link && !integrity)
    .map(([path]) => path);
  if (unverified.length === 0) continue;
  console.error(`${file} has no integrity for ${unverified.join(', ')}.`);
  process.exitCode = 1;
}
