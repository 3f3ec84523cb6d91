import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

/** Source maps are left out: they are large, and few browsers ask for them. */
const COMPRESSED = /\.(?:css|html|js|svg)$/;

/** Writes files compressed beside themselves, as `.br` and `.gz`, for servers that send them so. */
export function compress(folder, names) {
  for (const file of names.filter((name) => COMPRESSED.test(name)).map((name) => join(folder, name))) {
    const content = readFileSync(file);
    const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
    writeFileSync(`${file}.br`, brotliCompressSync(content, { params }));
    writeFileSync(`${file}.gz`, gzipSync(content, { level: constants.Z_BEST_COMPRESSION }));
  }
}

/** Rollup plugin: compresses what was written. */
export const compressed = {
  name: 'compressed',
  writeBundle: ({ file }, bundle) => compress(dirname(file), Object.keys(bundle)),
};
