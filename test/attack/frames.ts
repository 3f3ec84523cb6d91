import assert from 'node:assert/strict';
import { complaints } from '../../gateway/test/support/command.ts';
import type { Attack } from './attack.ts';
import { startScene } from './frames/scene.ts';

/** Odd frames per round. */
const FRAMES = { open: 50, sending: 4, opening: 16, linking: 16, signed: 2 };
/** Highest memory that the process may reach, in MB. */
const MEMORY = 1_024;

const VICTIM = '5215550001111';
const BYSTANDERS = Array.from({ length: 9 }, (_, index) => String(34600000001 + index));
/** The numero that is being linked. */
const NEWCOMER = '5491150000001';

export const frames: Attack = {
  name: 'frames',
  promise: `one of ten sessions recovers from any frame, and nine never notice, within ${MEMORY} MB`,
  async round(scope, random) {
    const scene = await startScene(scope, random);
    const { whatsapp, panel, gateway } = scene;
    await Promise.all([VICTIM, ...BYSTANDERS].map((numero) => scene.link(numero)));
    const linked = panel.pushes.length;

    for (let frame = 0; frame < FRAMES.open; frame++) await scene.attackOpen(VICTIM);
    const attacked = scene.attackOpen(VICTIM);
    const statuses = await Promise.all(BYSTANDERS.map((numero) => scene.send(numero)));
    assert.deepEqual(new Set(statuses), new Set([200]));
    await attacked;
    for (let frame = 0; frame < FRAMES.sending; frame++) await scene.attackSending(VICTIM);
    for (let frame = 0; frame < FRAMES.opening; frame++) await scene.attackOpening(VICTIM);
    await scene.start(VICTIM);
    await scene.recover(VICTIM);
    assert.equal(await scene.send(VICTIM), 200);
    assert.equal(whatsapp.registrations, 1 + BYSTANDERS.length);

    for (let frame = 0; frame < FRAMES.linking; frame++) {
      await (random.chance(0.5) ? scene.attackOpening(NEWCOMER) : scene.attackCode(NEWCOMER));
    }
    for (let frame = 0; frame < FRAMES.signed; frame++) await scene.attackSigned(NEWCOMER);
    await scene.link(NEWCOMER);

    const heard = (numero: string) =>
      panel.pushes.slice(linked).filter((push) => JSON.stringify(push).includes(numero));
    for (const numero of BYSTANDERS) {
      assert.equal(whatsapp.phone(numero).logins, 1, numero);
      assert.deepEqual(heard(numero), []);
      for (const complaint of complaints(gateway)) assert.ok(!complaint.includes(numero), complaint);
    }
    // Its connection was lost and restored; it saw neither an end nor a code.
    const names = new Set(heard(VICTIM).map(([name]) => name));
    assert.deepEqual(names, new Set(['session:change_state', `session:ready:${VICTIM}`]));
    const memory = await scene.end();
    assert.ok(memory < MEMORY, `${memory} MB`);
    return { frames: scene.frames, 'lines ended': scene.ended };
  },
};
