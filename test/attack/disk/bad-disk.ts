import type { RunOptions } from '../../../gateway/test/support/command.ts';

/** A disk for the sessions that can be made to fail while the gateway runs. */
export interface BadDisk {
  /** The data folder. */
  readonly folder: string;
  /** How to run the gateway on it. */
  readonly runOptions: RunOptions;
  /** Makes the disk take little or nothing. */
  spoil(): void;
  /** Makes the disk work again. */
  heal(): void;
  remove(): void;
}
