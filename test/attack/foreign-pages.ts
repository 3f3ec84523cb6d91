import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFirefox } from '../support/find-firefox.mjs';
import type { Attack } from './attack.ts';
import { launch, visit } from './foreign-pages/browsers.ts';
import { KINDS } from './foreign-pages/vectors/all.ts';
import { Victim } from './foreign-pages/victim.ts';

/** How long a page may take to send its request, if its browser supports it at all, in milliseconds. */
const PATIENCE = 1_000;
/** How long a request may take to do harm, in milliseconds. */
const AFTERMATH = 150;

export const foreignPages: Attack = {
  name: 'foreign-pages',
  promise: 'a gateway without a token does nothing for pages of foreign origins, and reveals nothing',
  async round(scope, random) {
    // Firefox takes twice as long, and has no speculation rules.
    const name = findFirefox() !== undefined && random.chance(1 / 3) ? 'Firefox' : 'Chromium';
    const host = random.pick(['localhost', '127.0.0.1'] as const);
    const victim = await Victim.start(scope, host, KINDS.length);
    const browser = await launch(scope, name);
    for (const [index, vectors] of KINDS.entries()) {
      const [vector, page] = random.pick(Object.entries(vectors));
      const aim = victim.aim(index);
      const before = victim.arrivals.length;
      await visit(browser, aim.here.put(page(aim)), async () => {
        const deadline = performance.now() + PATIENCE;
        while (victim.arrivals.length === before && performance.now() < deadline) await sleep(20);
        await sleep(AFTERMATH);
      });
      assert.deepEqual(victim.harm(), [], `${name}: ${vector}`);
    }
    assert.ok(victim.arrivals.length > 0, 'No request came');
    return { [`pages in ${name}`]: KINDS.length, requests: victim.arrivals.length };
  },
};
