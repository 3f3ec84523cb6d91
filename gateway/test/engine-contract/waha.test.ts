import { after } from 'node:test';
import { WahaServer } from '../../src/engines/waha/server.ts';
import { StandIn } from '../support/stand-in.ts';
import { engineContract } from './contract.ts';
import { remoteLabs } from './remote-lab.ts';

const standIn = await StandIn.start({ after }, 'waha');
const labs = remoteLabs(standIn, (url, key) => new WahaServer(url, key));

engineContract('the WAHA adapter', labs, [
  'unlink',
  'pairing',
  'ack',
  'keeps',
  'shared',
  'outage',
  'expires',
  'passkey',
]);
