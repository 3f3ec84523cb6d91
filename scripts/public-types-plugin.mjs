import { posix } from 'node:path';

const IMPORT = /(?<=\b(?:from|import) ')(\.[^']+)\.tsx?(?=')/g;

/**
 * Rollup plugin, after the compiler: keeps only the declarations that an entry leads to, so that internals stay hidden.
 * They import each other as JavaScript files, which every compiler resolves.
 */
export const publicTypes = (...entries) => ({
  name: 'public-types',
  generateBundle(_options, bundle) {
    const reached = new Set();
    const visit = (fileName) => {
      if (reached.has(fileName)) return;
      reached.add(fileName);
      const { source } = bundle[fileName];
      for (const [, path] of source.matchAll(IMPORT))
        visit(posix.join(posix.dirname(fileName), `${path}.d.ts`));
    };
    entries.forEach(visit);
    for (const [fileName, file] of Object.entries(bundle)) {
      if (!fileName.endsWith('.d.ts')) continue;
      if (reached.has(fileName)) file.source = file.source.replace(IMPORT, '$1.js');
      else delete bundle[fileName];
    }
  },
});
