import { afterEach } from 'node:test';
import type { RemoteServer } from '../../src/engines/remote/server.ts';
import { RemoteSession } from '../../src/engines/remote/session.ts';
import type { EngineEvent, Sign } from '../../src/sessions/engine.ts';
import { idleServer } from './idle-server.ts';

export const NUMERO = '34600000001';

const open: RemoteSession[] = [];

// A code to type has a timer.
afterEach(() => {
  for (const remote of open.splice(0)) remote.close();
});

/** A session of a server that does nothing but what the test says. */
export function session(calls: Partial<RemoteServer> = {}) {
  const events: EngineEvent[] = [];
  const signs: Sign[] = [];
  const report = (event: EngineEvent) => (isSign(event) ? signs : events).push(event);
  const remote = new RemoteSession(idleServer(calls), NUMERO, NUMERO, report);
  open.push(remote);
  return { session: remote, events, signs, report };
}

const isSign = (event: EngineEvent): event is Sign => ['signal', 'limited', 'quota'].includes(event.type);
