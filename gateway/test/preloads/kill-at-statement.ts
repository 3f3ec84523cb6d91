/** Loaded before the gateway: kills it right before the SQLite statement that the environment names. */
import { watchSql } from './watch-sql.ts';

const { WO_KILL_AT = '', WO_KILL_SKIP = '0' } = process.env;
const place = new RegExp(WO_KILL_AT);
let left = Number(WO_KILL_SKIP);

watchSql((sql) => {
  if (!place.test(sql)) return;
  if (left === 0) process.kill(process.pid, 'SIGKILL');
  left -= 1;
});
