import type { StoreCommand } from './config.ts';
import { backup } from './store/backup.ts';
import { doctor } from './store/doctor.ts';
import { keptBy } from './store/folder.ts';
import { type ListedSession, list } from './store/list.ts';
import { rekey } from './store/rekey.ts';
import { restore } from './store/restore.ts';

/**
 * Runs a command on the store. Returns the exit code; rejects with a `FolderError` for what the operator can mend.
 *
 * @param print takes one line of output
 */
export async function runStoreCommand(command: StoreCommand, print: (line: string) => void): Promise<number> {
  const { folder } = command;
  switch (command.name) {
    case 'backup': {
      const { sessions } = await backup(folder, command.file);
      print(`${sessionsIn(sessions)} in '${command.file}'.`);
      return 0;
    }
    case 'restore': {
      const { sessions, key, kept } = await restore(folder, command.file);
      const secrecy = key === null ? 'not encrypted' : `encrypted with the key ${key}`;
      print(`${sessionsIn(sessions)} restored to '${folder}', ${secrecy}.`);
      if (kept !== undefined) {
        print(
          `What was there before is in '${kept}', with its keys: delete that once all sessions are well.`,
        );
      }
      return 0;
    }
    case 'list': {
      for (const line of table(await list(folder, command.keyFile))) print(line);
      return 0;
    }
    case 'doctor': {
      const { lines, isWell } = await doctor(folder, command.keyFile, command.url);
      for (const line of lines) print(line);
      return isWell ? 0 : 1;
    }
    case 'rekey': {
      const { sessions, key, unfinished } = await rekey(folder, command.keyFile, command.newKeyFile);
      print(`${sessionsIn(sessions)} encrypted with the key ${key}.`);
      if (unfinished !== undefined) print(unfinished);
      for (const old of keptBy(folder))
        print(`'${old}' still has the keys that it had: delete it once all is well.`);
      return 0;
    }
  }
}

function sessionsIn(count: number): string {
  return count === 1 ? '1 session' : `${count} sessions`;
}

function table(sessions: readonly ListedSession[]): string[] {
  const rows = sessions.map(({ numero, phone, leaving, used }) => [
    numero,
    leaving ? 'being deleted' : linkOf(phone),
    used === undefined ? 'never' : used.toISOString(),
  ]);
  const all = [['numero', 'phone', 'last message'], ...rows];
  const widths = [0, 1].map((column) => Math.max(...all.map((row) => (row[column] ?? '').length)));
  return all.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));
}

function linkOf(phone: string | null | undefined): string {
  if (phone === undefined) return 'unreadable';
  return phone ?? 'not linked';
}
