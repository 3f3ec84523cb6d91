import { lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute } from 'node:path';
import { quoted } from './folder.ts';

/** Permissions, as in `chmod`: to write for the group and others, to read for them, and to read for others alone. */
const WRITABLE = 0o022;
const READABLE = 0o044;
const READABLE_BY_OTHERS = 0o004;
/** In a folder with this bit, such as /tmp, users can replace only what is their own. */
const STICKY = 0o1000;

/**
 * Returns a sentence if other users than this one and root can change a file, put another into its place, or read it
 * although it is secret; undefined if it is safe.
 *
 * @param what the file, as the sentence names it
 */
export function trustProblem(
  file: string,
  what: string,
  isSecret: boolean,
  own = process.geteuid?.(),
): string | undefined {
  // Windows has neither owners nor modes.
  if (own === undefined) return undefined;
  for (const path of wayTo(below(process.cwd(), file))) {
    const stats = lstatSync(path);
    const { uid, mode } = stats;
    if (uid !== own && uid !== 0) {
      const mend = stats.isDirectory()
        ? 'Move it into a folder of this user or root.'
        : `Run this first: chown -h ${own} ${quoted(path)}`;
      return `Another user owns '${path}', and so can change ${what}. ${mend}`;
    }
    let forbidden = WRITABLE;
    if (stats.isSymbolicLink() || (stats.isDirectory() && (mode & STICKY) !== 0)) forbidden = 0;
    // A file of root may be for a group, as those that Kubernetes mounts.
    if (isSecret && stats.isFile()) forbidden |= uid === own ? READABLE : READABLE_BY_OTHERS;
    if ((mode & forbidden) !== 0) {
      const verb = (mode & WRITABLE) === 0 ? 'read' : 'change';
      const denied = isSecret && stats.isFile() ? 'go-rw' : 'go-w';
      return `Other users can ${verb} ${what}. Run this first: chmod ${denied} ${quoted(path)}`;
    }
  }
  return undefined;
}

/** Returns a path with the folders that lead to it; where it is a symbolic link, also those of its target. */
function wayTo(path: string): string[] {
  const folder = dirname(path);
  const way = folder === path ? [path] : [...wayTo(folder), path];
  if (!lstatSync(path).isSymbolicLink()) return way;
  return [...way, ...wayTo(below(realpathSync(folder), readlinkSync(path)))];
}

/** Unlike `path.resolve`, leaves `..` to the system, for which it leads out of the target of a link. */
function below(folder: string, path: string): string {
  return isAbsolute(path) ? path : `${folder}/${path}`;
}
