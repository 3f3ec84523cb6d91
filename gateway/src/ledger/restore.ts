import { accessSync, chmodSync, constants, copyFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { checkBackup, sync } from './backup.ts';
import { DATABASE, FolderError, hasFiles, inFolder, prepareFolder } from './folder.ts';
import { lockFolder } from './sqlite-store.ts';

/**
 * Puts a backup into a folder without a store, whole or not at all; returns what {@link checkBackup} does. Rejects with a
 * {@link FolderError}, also if there is a store, of whatever kind.
 */
export async function restore(folder: string, file: string): ReturnType<typeof checkBackup> {
  checkFile(file);
  // Before the folder is made: a gateway would start with the empty store that a failed restore leaves there.
  const restored = await checkBackup(file, file);
  return inFolder(folder, async () => {
    prepareFolder(folder);
    const release = await lockFolder(folder);
    try {
      if (hasFiles(folder)) {
        throw new FolderError(
          `There is a store in '${folder}' already: move its files ${DATABASE}* away first, or choose another folder with --data.`,
        );
      }
      place(file, join(folder, DATABASE));
      return restored;
    } finally {
      release();
    }
  });
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

function place(file: string, store: string): void {
  const copy = `${store}.partial`;
  try {
    rmSync(copy, { force: true });
    copyFileSync(file, copy, constants.COPYFILE_EXCL);
    chmodSync(copy, 0o600);
    sync(copy);
    renameSync(copy, store);
    sync(dirname(store));
  } finally {
    rmSync(copy, { force: true });
  }
}
