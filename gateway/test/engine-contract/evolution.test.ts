import { after } from 'node:test';
import { EvolutionServer } from '../../src/engines/evolution/server.ts';
import { StandIn } from '../support/stand-in.ts';
import { engineContract } from './contract.ts';
import { remoteLabs } from './remote-lab.ts';

const standIn = StandIn.start({ after }, 'evolution');
const labs = remoteLabs(standIn, (url, key) => new EvolutionServer(url, key));

engineContract('the Evolution API adapter', labs, [
  'unlink',
  'pairing',
  'ack',
  'keeps',
  'shared',
  'outage',
  'expires',
  'restricted',
]);
