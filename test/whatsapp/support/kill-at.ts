/** Loaded before the gateway: kills it right before one statement of SQLite's, which the environment names. */
import Database from 'libsql';

const { WO_KILL_AT = '', WO_KILL_SKIP = '0' } = process.env;
const place = new RegExp(WO_KILL_AT);
let left = Number(WO_KILL_SKIP);
const { prepare, exec } = Database.prototype;

function pass(sql: string): void {
  if (!place.test(sql)) return;
  if (left === 0) process.kill(process.pid, 'SIGKILL');
  left -= 1;
}

Object.assign(Database.prototype, {
  prepare(this: Database.Database, sql: string) {
    pass(sql);
    return prepare.call(this, sql);
  },
  exec(this: Database.Database, sql: string) {
    pass(sql);
    return exec.call(this, sql);
  },
});
