import type { Surroundings } from '../../gateway/support/command.ts';

/** A disk that the sessions lie on, and that can be made unwell while the gateway runs. */
export interface BadDisk {
  /** Where the sessions are. */
  readonly folder: string;
  /** What the gateway's process needs. */
  readonly surroundings: Surroundings;
  /** From here on it takes little or nothing. */
  spoil(): void;
  /** From here on it is well. */
  heal(): void;
  remove(): void;
}
