import { after } from 'node:test';
import { WahaServer } from '../../src/engines/waha/server.ts';
import { StandIn } from '../support/stand-in.ts';
import { engineContract } from './contract.ts';
import type { Ability } from './lab.ts';
import { remoteLabs } from './remote-lab.ts';

const BOTH: Ability[] = ['unlink', 'pairing', 'keeps', 'shared', 'outage', 'expires'];

for (const [version, engine, leavesDevices, abilities] of [
  ['2024.10.8', 'NOWEB', true, [...BOTH, 'passkey']],
  ['2026.7.1', 'GOWS', false, [...BOTH, 'ack', 'passkeys']],
] as const) {
  const standIn = StandIn.start({ after }, 'waha', version, 'PLUS', engine);
  const connect = (url: string, key: string) => new WahaServer(url, key);
  const labs = remoteLabs(standIn, connect, leavesDevices);
  engineContract(`the WAHA adapter, ${version}`, labs, abilities);
}
