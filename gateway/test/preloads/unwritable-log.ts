/** Loaded before the command: nothing can be written to stderr, as if it were a file on a full disk. */
import fs from 'node:fs';

const { writeSync } = fs;
Object.assign(fs, {
  writeSync: (descriptor: number, ...others: unknown[]): unknown => {
    if (descriptor === 2) throw Object.assign(new Error('No space left on device'), { code: 'ENOSPC' });
    return Reflect.apply(writeSync, fs, [descriptor, ...others]);
  },
});
