import { chmodSync, closeSync, lstatSync, mkdirSync, openSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import { Fault } from '../diagnosis.ts';
import { DecryptionError } from './cipher.ts';

/** The folder, or a file that the operator named, cannot be used; the message is one sentence for the operator. */
export class FolderError extends Fault {
  override readonly name = 'FolderError';
}

/** The store is of another version of the gateway; the message is the part of a sentence that says so. */
export class VersionError extends Error {
  override readonly name = 'VersionError';
}

export const DATABASE = 'sessions.sqlite';
/** The file whose lock a gateway holds. */
export const LOCK = 'gateway.lock';
/** What SQLite creates beside the database. */
export const BESIDE = ['-wal', '-shm', '-journal'];
const FILES = ['', ...BESIDE].map((suffix) => DATABASE + suffix);

/**
 * Makes sure that only this user can access the folder and its files, and creates missing ones. Returns the path of the
 * database. Throws a {@link FolderError}.
 */
export function prepareFolder(folder: string): string {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const stats = statSync(folder);
    if (!stats.isDirectory())
      throw new FolderError(`'${folder}' is not a folder: choose another with --data.`);
    checkOwner(stats, folder);
    if ((stats.mode & 0o022) !== 0) {
      throw new FolderError(
        `Other users can write to '${folder}', so the sessions' keys are not safe there. ` +
          `Run this first: chmod go-w ${quoted(folder)}`,
      );
    }
    for (const name of [LOCK, ...FILES]) checkFile(join(folder, name));
    // SQLite gives its journals the mode of this file, so it must have it first.
    for (const name of [LOCK, DATABASE]) createFile(join(folder, name));
    return join(folder, DATABASE);
  } catch (error) {
    throw folderError(folder, error);
  }
}

/** Whether there is anything of a store in the folder: SQLite would apply a journal that is left to another store. */
export function hasFiles(folder: string): boolean {
  return FILES.some((name) => (statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0) > 0);
}

/** Runs a task on a folder. Rejects with a {@link FolderError} in place of an error of Node, SQLite or decryption. */
export async function inFolder<T>(folder: string, task: () => T | Promise<T>): Promise<T> {
  try {
    return await task();
  } catch (error) {
    throw folderError(folder, error);
  }
}

/** Turns an error of Node, SQLite or decryption into a {@link FolderError}; returns any other as it is. */
function folderError(folder: string, error: unknown): unknown {
  if (error instanceof VersionError) {
    return new FolderError(
      `The store in '${folder}' ${error.message}: use that version, or choose another folder with --data.`,
    );
  }
  if (error instanceof DecryptionError) {
    return new FolderError(
      `A value in the store in '${folder}' is damaged, or was encrypted with another key file: ` +
        'bring a backup back with restore.',
    );
  }
  if (!(error instanceof Error) || error instanceof FolderError || !('code' in error)) return error;
  const noFolder = `'${folder}' is not a folder: choose another with --data.`;
  const noWrites =
    `The gateway may not write to '${folder}' (${error.code}): give its user write permission, or choose another ` +
    'folder with --data.';
  const full = `No space left on the disk of '${folder}': free some and start again.`;
  const sentences: Readonly<Record<string, string>> = {
    SQLITE_BUSY: `The folder '${folder}' is in use, by a gateway or a backup: stop that first, or choose another with --data.`,
    EEXIST: noFolder,
    ENOTDIR: noFolder,
    EACCES: noWrites,
    EPERM: noWrites,
    EROFS: noWrites,
    SQLITE_READONLY: noWrites,
    SQLITE_NOTADB: `'${join(folder, DATABASE)}' is not a gateway's store: move it away, or bring a backup back with restore.`,
    SQLITE_CORRUPT: `The store in '${folder}' is damaged: stop the gateway and bring a backup back with restore.`,
    SQLITE_FULL: full,
    ENOSPC: full,
  };
  const other = `The folder '${folder}' cannot be used (${error.message}).`;
  return new FolderError(sentences[String(error.code)] ?? other);
}

/**
 * Creates an empty file, or leaves an existing one. It is not opened, since closing it would release the locks that
 * this process holds on it.
 */
export function createFile(file: string): void {
  if (lstatSync(file, { throwIfNoEntry: false })) return;
  closeSync(openSync(file, 'wx', 0o600));
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
export function quoted(path: string): string {
  return `'${path.replaceAll("'", "'\\''")}'`;
}
