import { drain, listNodes, rotate } from './cluster/nodes-command.ts';
import type { StoreCommand } from './config.ts';
import { doctor } from './doctor.ts';
import { examineRemote } from './engines/provider.ts';
import { backup } from './ledger/backup.ts';
import { databaseDoctor } from './ledger/database-doctor.ts';
import { migrateStore } from './ledger/migrate.ts';
import { rekey, rekeyDatabase } from './ledger/rekey.ts';
import { restore } from './ledger/restore.ts';
import { examineNotify } from './notify/doctor.ts';
import { sessionsIn } from './terminal.ts';

/**
 * Runs a command on the store, or on the gateways of a database. Returns the exit code; rejects with a `FolderError` or
 * a `DatabaseError` for a problem that the operator can fix.
 *
 * @param print takes one line of output
 */
export async function runCommand(command: StoreCommand, print: (line: string) => void): Promise<number> {
  switch (command.name) {
    case 'backup': {
      const { sessions } = await backup(command.folder, command.file);
      print(`${sessionsIn(sessions)} in '${command.file}'.`);
      return 0;
    }
    case 'restore': {
      const { folder, file } = command;
      const { sessions, key } = await restore(folder, file);
      const secrecy = key === null ? 'not encrypted' : `encrypted with the key ${key}`;
      print(`${sessionsIn(sessions)} restored to '${folder}', ${secrecy}.`);
      return 0;
    }
    case 'doctor': {
      const diagnoses = [await examine(command)];
      if (command.notify) diagnoses.push(await examineNotify(command.notify));
      for (const line of diagnoses.flatMap(({ lines }) => lines)) print(line);
      return diagnoses.every(({ isWell }) => isWell) ? 0 : 1;
    }
    case 'rekey': {
      const { folder, database, keyFile, newKeyFile } = command;
      const { sessions, key } =
        database === undefined
          ? await rekey(folder, keyFile, newKeyFile)
          : await rekeyDatabase(database, keyFile, newKeyFile);
      print(`${sessionsIn(sessions)} encrypted with the key ${key}.`);
      return 0;
    }
    case 'nodes':
      for (const line of await listNodes(command.database)) print(line);
      return 0;
    case 'drain':
      return (await drain(command.database, command.node, print)) ? 0 : 1;
    case 'rotate':
      await rotate(command.database);
      print('The gateways have a new secret, and use it from now on.');
      return 0;
    case 'migrate': {
      const { sessions, warning } = await migrateStore(command);
      print(
        `${sessionsIn(sessions)} moved to ${command.to === 'data' ? `'${command.folder}'` : 'the database'}.`,
      );
      print(warning);
      return 0;
    }
  }
}

function examine({
  folder,
  keyFile,
  database,
  remote,
  ...whatsapp
}: Extract<StoreCommand, { name: 'doctor' }>) {
  if (remote) return examineRemote(remote);
  return database === undefined ? doctor(folder, keyFile, whatsapp) : databaseDoctor(database);
}
