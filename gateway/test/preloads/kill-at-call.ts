/** Loaded before a command: kills the process right before one of its changes to the file system. */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

let left = Number(process.env.WO_KILL_CALL);

function killing<A extends unknown[], R>(call: (...args: A) => R): (...args: A) => R {
  return (...args) => {
    if (left === 0) process.kill(process.pid, 'SIGKILL');
    left -= 1;
    return call(...args);
  };
}

const { chmodSync, copyFileSync, fsyncSync, linkSync, renameSync, rmSync } = fs;
Object.assign(fs, {
  chmodSync: killing(chmodSync),
  linkSync: killing(linkSync),
  renameSync: killing(renameSync),
  rmSync: killing(rmSync),
  copyFileSync: killing(copyFileSync),
  fsyncSync: killing(fsyncSync),
});
syncBuiltinESMExports();
