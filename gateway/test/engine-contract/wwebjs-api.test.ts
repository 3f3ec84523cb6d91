import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { WwebjsServer } from '../../examples/wwebjs-api/server.ts';
import { statusOf } from '../../examples/wwebjs-api/states.ts';
import type { Status } from '../../src/engines/remote/server.ts';
import { StandIn } from '../support/stand-in.ts';
import { engineContract } from './contract.ts';
import { remoteLabs } from './remote-lab.ts';

const standIn = StandIn.start({ after }, 'wwebjs-api');
const labs = remoteLabs(standIn, (url, key) => new WwebjsServer(url, key));

engineContract('the wwebjs-api adapter', labs, ['unlink', 'pairing', 'keeps', 'shared', 'outage']);

describe("whatsapp-web.js's words", () => {
  const unlinked = 'session_not_connected';
  const rows: [word: string | null, message: string, status: Status | undefined][] = [
    ['CONNECTED', 'session_connected', 'connected'],
    ['OPENING', unlinked, 'starting'],
    ['PAIRING', unlinked, 'starting'],
    ['TIMEOUT', unlinked, 'starting'],
    ['UNLAUNCHED', unlinked, 'starting'],
    ['UNPAIRED', unlinked, 'scanning'],
    ['UNPAIRED_IDLE', unlinked, 'starting'],
    ['TOS_BLOCK', unlinked, 'restricted'],
    ['SMB_TOS_BLOCK', unlinked, 'restricted'],
    ['CONFLICT', unlinked, 'stopped'],
    ['DEPRECATED_VERSION', unlinked, 'stopped'],
    ['PROXYBLOCK', unlinked, 'stopped'],
    [null, unlinked, 'scanning'],
    [null, 'browser tab closed', 'stopped'],
    [null, 'session closed', 'stopped'],
    ['DREAMING', unlinked, undefined],
    ['constructor', unlinked, undefined],
  ];
  for (const [word, message, status] of rows) {
    test(`${word ?? 'no word'}, ${message}, is ${status ?? 'not known'}`, () => {
      assert.equal(statusOf(word, message), status);
    });
  }
});
