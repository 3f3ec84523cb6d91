import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { built } from '../../../gateway/test/support/built.ts';
import type { Random } from '../random.ts';
import type { BadDisk } from './bad-disk.ts';

/** The error of SQLite's statements, and how often they fail. */
interface Failures {
  readonly code: 'SQLITE_FULL' | 'SQLITE_IOERR';
  /** From 0 to 1. */
  readonly chance: number;
}

export function parseFailures(text: string): Failures {
  const [code, chance] = text.split(' ');
  return { code: code === 'SQLITE_FULL' ? code : 'SQLITE_IOERR', chance: Number(chance) };
}

/** SQLite reports at random that the disk is full or broken. */
export class FailingDisk implements BadDisk {
  readonly #parent = mkdtempSync(join(tmpdir(), 'wo-'));
  readonly #failures = join(this.#parent, 'failures');
  readonly folder = join(this.#parent, 'data');
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
    this.heal();
  }

  get runOptions() {
    return {
      env: { WO_FAILURES: this.#failures, WO_SEED: String(this.#random.integer(0, 2 ** 31)) },
      imports: built('../test/attack/disk/fail-statements'),
    };
  }

  spoil(): void {
    this.#set({
      code: this.#random.pick(['SQLITE_FULL', 'SQLITE_IOERR']),
      chance: this.#random.pick([0.1, 0.5, 1]),
    });
  }

  heal(): void {
    this.#set({ code: 'SQLITE_FULL', chance: 0 });
  }

  remove(): void {
    rmSync(this.#parent, { recursive: true, force: true });
  }

  #set({ code, chance }: Failures): void {
    writeFileSync(this.#failures, `${code} ${chance}`);
  }
}
