import type { Random } from '../../../../test/attack/random.ts';
import type { Scope } from '../../../../test/support/scope.ts';

export interface ProofOptions {
  readonly rounds: number;
  readonly random: Random;
  /** How many numeros are linked. */
  readonly numeros: number;
  /** In seconds. Default a short one, which shows how long gateways take by themselves. */
  readonly lease?: number;
}

/** Shows that the cluster keeps a guarantee under a kind of fault; returns the figures, and rejects if it does not. */
export type Proof = (scope: Scope, options: ProofOptions) => Promise<string>;

/** Returns a duration as `8.9 s`. */
export function seconds(milliseconds: number): string {
  return `${(milliseconds / 1_000).toFixed(1)} s`;
}

export function median(values: readonly number[]): number {
  return [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}
