import {
  accessSync,
  chmodSync,
  constants,
  copyFileSync,
  existsSync,
  linkSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { megabytesIn, type Report } from '../progress.ts';
import { checkBackup, sync } from './backup.ts';
import { BESIDE, DATABASE, FolderError, KEPT, prepareFolder, stoppedError } from './folder.ts';
import { closeDatabase, connect, lockFolder, WAIT } from './sqlite-file.ts';
import { hasStore } from './sqlite-store.ts';

/** The result of a restore. */
export interface Restored {
  /** The number of sessions in the backup. */
  readonly sessions: number;
  /** The id of the key with which it is encrypted; null if it is not. */
  readonly key: string | null;
  /** The file with the folder's previous store; undefined if there was none. */
  readonly kept: string | undefined;
}

/**
 * Puts a backup into the folder of a stopped gateway, whose store is kept beside it under another name. The folder has
 * a whole store at every moment. If it rejects, with a {@link FolderError}, it has changed nothing.
 */
export async function restore(folder: string, file: string, report?: Report): Promise<Restored> {
  checkFile(file);
  // Before the folder is made: a gateway would start with the empty store that a failed restore leaves there.
  const { key } = await checkBackup(file, file, report);
  try {
    prepareFolder(folder);
    const release = await lockFolder(folder);
    try {
      return { ...(await replace(folder, file, report)), key };
    } finally {
      release();
    }
  } catch (error) {
    throw stoppedError(folder, error);
  }
}

function checkFile(file: string): void {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (!stats?.isFile()) throw new FolderError(`There is no backup '${file}': choose another file.`);
  try {
    accessSync(file, constants.R_OK);
  } catch {
    throw new FolderError(`The backup '${file}' cannot be read: give this user read permission.`);
  }
  if ((statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0) {
    throw new FolderError(
      `'${file}' is not a backup, but the file of a gateway that was not stopped: make one of its folder with backup.`,
    );
  }
}

async function replace(folder: string, file: string, report?: Report): Promise<Omit<Restored, 'key'>> {
  const store = join(folder, DATABASE);
  const copy = join(folder, 'restore.partial');
  try {
    rmSync(copy, { force: true });
    report?.(() => `${megabytesIn(copy)} of ${megabytesIn(file)} MB copied`);
    await copyFile(file, copy, constants.COPYFILE_EXCL);
    chmodSync(copy, 0o600);
    const { sessions } = await checkBackup(copy, file, report);
    const kept = hasStore(folder) ? await keep(store) : undefined;
    await sync(copy, report);
    renameSync(copy, store);
    await sync(folder);
    return { sessions, kept };
  } finally {
    for (const suffix of ['', ...BESIDE]) rmSync(copy + suffix, { force: true });
  }
}

/** Gives the store a second name, which is its only name once another store is in its place. Returns that name. */
async function keep(store: string): Promise<string> {
  const kept = `${join(dirname(store), KEPT)}${new Date().toISOString().replaceAll(/[:.]/g, '-')}`;
  await putInOneFile(store);
  try {
    linkSync(store, kept);
  } catch {
    // Not every file system has links.
    copyFileSync(store, kept, constants.COPYFILE_EXCL);
  }
  for (const suffix of BESIDE) {
    // The journal of a damaged store: SQLite would apply it to the backup.
    if (existsSync(store + suffix)) renameSync(store + suffix, kept + suffix);
  }
  await sync(kept);
  return kept;
}

/** Moves the journal's content into the database. A damaged database does not change. */
async function putInOneFile(store: string): Promise<void> {
  const db = await connect(store);
  try {
    db.pragma(`busy_timeout = ${WAIT}`);
    db.pragma('journal_mode = DELETE');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'SQLITE_BUSY') throw error;
  } finally {
    closeDatabase(db);
  }
}
