/**
 * Fails if package-lock.json has a package without an integrity hash. To be run before `npm ci`, which installs such
 * packages silently.
 */
import { readFileSync } from 'node:fs';

const { packages } = JSON.parse(readFileSync(process.argv[2] ?? 'package-lock.json', 'utf8'));
// The project itself has none, and neither has a linked package, which is the project's own.
const unverified = Object.entries(packages)
  .filter(([path, { integrity, link }]) => path.includes('node_modules/') && !link && !integrity)
  .map(([path]) => path);
if (unverified.length > 0) {
  console.error(`package-lock.json has no integrity for ${unverified.join(', ')}.`);
  process.exitCode = 1;
}
