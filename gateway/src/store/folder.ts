import { chmodSync, closeSync, lstatSync, mkdirSync, openSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';

/** The folder cannot be used; the message is one sentence for the operator. */
export class FolderError extends Error {
  override readonly name = 'FolderError';
}

/** The database and the files that SQLite creates beside it. */
const FILES = ['', '-wal', '-shm', '-journal'].map((suffix) => `sessions.sqlite${suffix}`);
/** Write permission for the group and others. */
const WRITABLE = 0o022;

/**
 * Makes sure that only this user can access the folder and its database, and creates what is missing. Returns the path
 * of the database. Throws a {@link FolderError}.
 */
export function prepareFolder(folder: string): string {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const stats = statSync(folder);
    if (!stats.isDirectory())
      throw new FolderError(`'${folder}' is not a folder: choose another with --data.`);
    checkOwner(stats, folder);
    if ((stats.mode & WRITABLE) !== 0) {
      throw new FolderError(
        `Other users can write to '${folder}', so the sessions' keys are not safe there. ` +
          `Run this first: chmod go-w ${quoted(folder)}`,
      );
    }
    for (const name of FILES) checkFile(join(folder, name));
    // SQLite gives its journals the mode of this file, so it must have it first.
    const file = join(folder, 'sessions.sqlite');
    closeSync(openSync(file, 'a', 0o600));
    return file;
  } catch (error) {
    throw folderError(folder, error);
  }
}

/** Turns an error of Node or SQLite into a {@link FolderError}; returns any other as it is. */
export function folderError(folder: string, error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof FolderError || !('code' in error)) return error;
  switch (error.code) {
    case 'SQLITE_BUSY':
      return new FolderError(`Another gateway is using the folder '${folder}': choose another with --data.`);
    case 'EEXIST':
    case 'ENOTDIR':
      return new FolderError(`'${folder}' is not a folder: choose another with --data.`);
    case 'SQLITE_FULL':
    case 'ENOSPC':
      return new FolderError(`No space left on the disk of '${folder}': free some and start again.`);
    default:
      return new FolderError(`The folder '${folder}' cannot be used (${error.message}).`);
  }
}

function checkFile(file: string): void {
  const stats = lstatSync(file, { throwIfNoEntry: false });
  if (!stats) return;
  if (!stats.isFile()) {
    throw new FolderError(
      `'${file}' is not a regular file: move it away, or choose another folder with --data.`,
    );
  }
  checkOwner(stats, file);
  chmodSync(file, 0o600);
}

/** Throws if another user owns the file, since they could make it writable again. Windows has no such owners. */
function checkOwner({ uid }: Stats, path: string): void {
  const own = process.geteuid?.();
  if (own === undefined || uid === own) return;
  throw new FolderError(
    `'${path}' belongs to another user: choose another folder with --data, or run this first: ` +
      `chown ${own} ${quoted(path)}`,
  );
}

/** Quotes a path for a shell. */
function quoted(path: string): string {
  return `'${path.replaceAll("'", "'\\''")}'`;
}
