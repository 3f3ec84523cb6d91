/**
 * The documents of the package: `node documents.mjs add FOLDER` writes them into its folder before npm packs it, and
 * `node documents.mjs remove FOLDER` undoes that. A package holds nothing from above its folder, and npm looks for the
 * README there: what the README links to goes to `dist`, and the links follow. npm's website shows the README that is
 * there afterwards, whose links lead into the repository.
 */
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';

const { dirname, join, relative } = posix;

const REPOSITORY = fileURLToPath(new URL('..', import.meta.url));
/** The gateway's own that have links. */
const OWN = ['README.md', 'CHANGELOG.md'];
const OTHERS = [
  'README.md',
  'CHANGELOG.md',
  'LICENSE',
  ...['docs', 'docs/texts'].flatMap((folder) =>
    readdirSync(join(REPOSITORY, folder), { withFileTypes: true })
      .filter((file) => file.isFile())
      .map(({ name }) => `${folder}/${name}`),
  ),
];

/** Where the package has a file of the repository, and the reverse. */
const inPackage = (path) => (path.startsWith('gateway/') ? relative('gateway', path) : `dist/${path}`);
const inRepository = (path) => (path.startsWith('dist/') ? relative('dist', path) : `gateway/${path}`);

const [task, folder] = process.argv.slice(2);
if (task === 'add') {
  for (const path of [...OTHERS, ...OWN.map((file) => `gateway/${file}`)]) {
    const target = join(folder, inPackage(path));
    mkdirSync(dirname(target), { recursive: true });
    if (path.endsWith('.md')) writeFileSync(target, relinked(join(REPOSITORY, path), path, inPackage));
    else cpSync(join(REPOSITORY, path), target);
  }
} else {
  for (const path of OTHERS) rmSync(join(folder, inPackage(path)), { force: true });
  for (const file of OWN) writeFileSync(join(folder, file), relinked(join(folder, file), file, inRepository));
}

/** Returns a document whose relative links lead to the new places of their files, from that of its own. */
function relinked(file, path, newPlace) {
  const from = dirname(newPlace(path));
  return readFileSync(file, 'utf8').replace(/(?<=\]\()[^)#:]+(?=[)#])/g, (link) =>
    relative(from, newPlace(join(dirname(path), link))),
  );
}
