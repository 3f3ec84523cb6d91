import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const FOLDER = new URL('../nightly/', import.meta.url);

/** Where the nightly run installs what it alone needs. */
export const NIGHTLY_PACKAGES = fileURLToPath(new URL('node_modules', FOLDER));

/** Finds a module of those packages. */
export const { resolve: resolveNightly } = createRequire(FOLDER);
