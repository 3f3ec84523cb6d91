import assert from 'node:assert/strict';
import { test } from 'node:test';
import { STATES, type WireListItem } from '../../src/wire.ts';
import type { EngineEvent } from '../src/sessions/engine.ts';
import { kindOf, type StateKind } from '../src/sessions/state-kinds.ts';
import { apply } from '../src/sessions/transitions.ts';

const kinds: [EngineEvent, StateKind][] = [
  [{ type: 'qr', code: '2@a' }, 'code'],
  [{ type: 'authenticated' }, 'waiting'],
  [{ type: 'ready' }, 'connected'],
  [{ type: 'disconnected' }, 'disconnected'],
  [{ type: 'qr_timeout' }, 'disconnected'],
  [{ type: 'state', state: 'OPENING' }, 'other'],
  [{ type: 'stopped', reason: 'replaced' }, 'other'],
];

for (const [event, kind] of kinds) {
  test(`after ${event.type} a session is ${kind}`, () => {
    const session: WireListItem = { numero: '34600000001', state: STATES.authenticating, waiting: true };
    apply(session, event);
    assert.equal(kindOf(session), kind);
  });
}

test('each state that the contract names has its own kind', () => {
  const kindsOf = (state: string) => kindOf({ numero: '34600000001', state, waiting: false });
  assert.deepEqual(
    [STATES.connected, STATES.authenticating, STATES.disconnected, STATES.closing].map(kindsOf),
    ['connected', 'waiting', 'disconnected', 'closing'],
  );
});
