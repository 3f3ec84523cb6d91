import { test } from 'node:test';
import { Random } from '../../../../test/attack/random.ts';
import type { Proof, ProofOptions } from '../proofs/proof.ts';

/** A test that a proof passes; it prints the figures, and the seed, which WO_SEED repeats. */
export function proofTest(
  name: string,
  proof: Proof,
  { rounds = 1, numeros = 6, lease }: Partial<Omit<ProofOptions, 'random'>> = {},
): void {
  test(name, async (t) => {
    const seed = Number(process.env.WO_SEED ?? Math.floor(Math.random() * 2 ** 31));
    t.diagnostic(`WO_SEED=${seed}`);
    t.diagnostic(await proof(t, { rounds, random: new Random(seed), numeros, ...(lease && { lease }) }));
  });
}
