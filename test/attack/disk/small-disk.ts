import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync, statSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Random } from '../random.ts';
import type { BadDisk } from './bad-disk.ts';

const SIZE = 4 * 2 ** 20;
const PAGE = 4_096;

/** A real disk of a few MB, filled up to the last pages. */
export class SmallDisk implements BadDisk {
  readonly #mount: string;
  readonly #random: Random;
  readonly folder: string;
  readonly runOptions = {};

  private constructor(mount: string, random: Random) {
    this.#mount = mount;
    this.#random = random;
    this.folder = join(mount, 'data');
  }

  /** Undefined without the rights to mount it. */
  static mount(random: Random): SmallDisk | undefined {
    const mount = mkdtempSync(join(tmpdir(), 'wo-'));
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE}`, 'tmpfs', mount], { stdio: 'ignore' });
      return new SmallDisk(mount, random);
    } catch {
      rmSync(mount, { recursive: true });
      return undefined;
    }
  }

  spoil(): void {
    const filler = join(this.#mount, 'filler');
    try {
      for (;;) appendFileSync(filler, Buffer.alloc(PAGE));
    } catch {
      // Sometimes leaves a few pages for the sessions to use up.
      const pages = this.#random.pick([0, 0, 3, 30]);
      if (pages > 0) truncateSync(filler, Math.max(0, statSync(filler).size - pages * PAGE));
    }
  }

  heal(): void {
    rmSync(join(this.#mount, 'filler'), { force: true });
  }

  remove(): void {
    execFileSync('umount', ['--lazy', this.#mount]);
    rmSync(this.#mount, { recursive: true });
  }
}
