import { chmodSync, closeSync, lstatSync, mkdirSync, openSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';

/** A folder that the sessions cannot be kept in, in one sentence for whoever runs the gateway. */
export class FolderError extends Error {
  override readonly name = 'FolderError';
}

/** SQLite makes the others beside the first. */
const FILES = ['', '-wal', '-shm', '-journal'].map((suffix) => `sessions.sqlite${suffix}`);
/** Write permission of the group and of others. */
const WRITABLE = 0o022;

/**
 * Makes sure that the folder and the files of the sessions in it belong to this user alone, making what is missing.
 * Gives the path of the database. Throws a {@link FolderError}.
 */
export function prepareFolder(folder: string): string {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const stats = statSync(folder);
    if (!stats.isDirectory()) throw new FolderError(`'${folder}' is no folder: choose another with --data.`);
    checkOwner(stats, folder);
    if ((stats.mode & WRITABLE) !== 0) {
      throw new FolderError(
        `The keys of the sessions are not safe in '${folder}', which others can write to. ` +
          `Run this first: chmod go-w ${quoted(folder)}`,
      );
    }
    for (const name of FILES) checkFile(join(folder, name));
    // SQLite gives its journals the mode of the file, so it is set before there are any.
    const file = join(folder, 'sessions.sqlite');
    closeSync(openSync(file, 'a', 0o600));
    return file;
  } catch (error) {
    throw folderError(folder, error);
  }
}

/** Says what the error of Node or SQLite means for the folder; others are given back as they are. */
export function folderError(folder: string, error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof FolderError || !('code' in error)) return error;
  switch (error.code) {
    case 'SQLITE_BUSY':
      return new FolderError(`Another gateway is using the folder '${folder}': choose another with --data.`);
    case 'EEXIST':
    case 'ENOTDIR':
      return new FolderError(`'${folder}' is no folder: choose another with --data.`);
    case 'SQLITE_FULL':
    case 'ENOSPC':
      return new FolderError(
        `There is no space left on the disk of '${folder}': free some, and start again.`,
      );
    default:
      return new FolderError(`The folder '${folder}' cannot be used for the sessions (${error.message}).`);
  }
}

function checkFile(file: string): void {
  const stats = lstatSync(file, { throwIfNoEntry: false });
  if (!stats) return;
  if (!stats.isFile()) {
    throw new FolderError(`'${file}' is no plain file: move it away, or choose another folder with --data.`);
  }
  checkOwner(stats, file);
  chmodSync(file, 0o600);
}

/** Whoever owns it can make it writable again. Windows has no such owners. */
function checkOwner({ uid }: Stats, path: string): void {
  const own = process.geteuid?.();
  if (own === undefined || uid === own) return;
  throw new FolderError(
    `'${path}' belongs to another user: choose another folder with --data, or run this first: ` +
      `chown ${own} ${quoted(path)}`,
  );
}

/** As one word for a shell. */
function quoted(path: string): string {
  return `'${path.replaceAll("'", "'\\''")}'`;
}
