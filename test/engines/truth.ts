import assert from 'node:assert/strict';
import type { Phase } from '../../gateway/test/stand-ins/world.ts';
import { until } from '../support/until.ts';
import type { Scene } from './story.ts';
import { FRIEND } from './worlds.ts';

const GOES_ON = ['AUTENTICANDO...', 'OPENING'];

/** What the panel may say of a session. A gateway that has just started does not know whether it was connected before. */
const SAID: Record<Phase, readonly string[]> = {
  starting: GOES_ON,
  offline: GOES_ON,
  scanning: ['AUTENTICANDO...'],
  connected: ['CONNECTED'],
  stopped: ['DESCONECTADO'],
  expired: ['DESCONECTADO'],
  'logged-out': ['DESCONECTADO'],
  restricted: ['CUENTA RESTRINGIDA'],
  passkey: ['LLAVE DE ACCESO'],
  confirm: ['LLAVE DE ACCESO'],
};

/** Waits until the panel shows what the server has: each session once, in its state, with its code of now. */
export async function isTrue(scene: Scene): Promise<void> {
  await heedsServer(scene);
  const { demo, world } = scene;
  await until(async () => {
    const sessions = await world.server.sessions();
    assert.deepEqual((await demo.numeros()).sort(), sessions.map(({ name }) => name).sort());
    for (const { name, phase, code } of sessions) {
      const text = await demo.text('panel', name);
      assert.ok(
        SAID[phase].some((state) => text.includes(state)),
        `${name} is ${phase}, and says '${text}'`,
      );
      assert.equal(await demo.codeOf(name), code);
    }
    return true;
  }, 'the panel to show what the server has');
}

/** Waits until what happens on the server comes to the panel: until then it may show what was true before. */
async function heedsServer({ demo, world }: Scene): Promise<void> {
  await world.loseLine(FRIEND);
  await demo.falls('panel', FRIEND, 'CONNECTED');
  await world.recoverLine(FRIEND);
  await demo.says('panel', FRIEND, 'CONNECTED');
}
