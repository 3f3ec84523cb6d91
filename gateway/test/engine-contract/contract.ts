/**
 * What every engine promises to the session manager, in the words of `sessions/engine.ts`. It drives an engine through
 * `Engine` alone; a lab does what happens outside it. An engine for another server needs a lab and a call of
 * `engineContract`.
 */
import { describe, test } from 'node:test';
import { Bench } from './bench.ts';
import { endingPromises } from './endings.ts';
import type { Ability, OpenLab } from './lab.ts';
import { linkingPromises } from './linking.ts';
import { messagePromises } from './messages.ts';
import { restoringPromises } from './restoring.ts';

/** Registers a test, with an engine of its own; it is skipped if the engine lacks one of these abilities. */
type RegisterPromise = (name: string, proof: (bench: Bench) => Promise<void>, ...needs: Ability[]) => void;

export interface Contract {
  readonly promise: RegisterPromise;
  readonly abilities: ReadonlySet<Ability>;
}

/**
 * Registers the tests of the contract for an engine.
 *
 * @param name what the engine is called
 * @param openLab opens a lab for each test
 * @param abilities what the engine can do of what not every engine can
 */
export function engineContract(name: string, openLab: OpenLab, abilities: readonly Ability[]): void {
  const promise: RegisterPromise = (what, proof, ...needs) => {
    const missing = needs.filter((need) => !abilities.includes(need));
    const skip = missing.length > 0 && `it cannot: ${missing.join(', ')}`;
    test(what, { skip }, async (t) => proof(await Bench.open(t, openLab)));
  };
  const contract = { promise, abilities: new Set(abilities) };
  describe(`${name}: linking`, () => linkingPromises(contract));
  describe(`${name}: the life of a session`, () => endingPromises(contract));
  describe(`${name}: messages`, () => messagePromises(contract));
  describe(`${name}: what there is already`, () => restoringPromises(contract));
}
