import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { STATES, type WireListItem } from '../../../src/wire.ts';
import { Incidents } from '../../src/notify/incidents.ts';
import { connected, fallen, MINUTE } from './support/channel-lab.ts';

const NUMERO = '5215550001111';

/** What is the matter with the number, one minute after the other. */
function kindsOf(...moments: WireListItem[]): (string | undefined)[] {
  const incidents = new Incidents(2 * MINUTE);
  return moments.map((session, minute) => incidents.in([session], minute * MINUTE).get(NUMERO)?.kind);
}

describe('what is the matter with a number', () => {
  it('that was connected: it is away once it has been so for long enough, whatever its state', () => {
    const states = [STATES.authenticating, 'OPENING', STATES.disconnected, 'TIMEOUT'];
    const away = states.map((state, minute) => ({
      ...connected(NUMERO),
      state,
      since: (minute + 1) * MINUTE,
    }));
    assert.deepEqual(kindsOf(connected(NUMERO), ...away), [undefined, undefined, undefined, 'away', 'away']);
  });

  it('that is connected again in time: nothing', () => {
    const moments = [connected(NUMERO), fallen(NUMERO, 'connection-lost', MINUTE), connected(NUMERO)];
    assert.deepEqual(
      kindsOf(...moments, fallen(NUMERO, 'connection-lost', 3 * MINUTE)),
      Array(4).fill(undefined),
    );
  });

  for (const [code, kind] of [
    ['logged-out', 'unlinked'],
    ['device-removed', 'unlinked'],
    ['dead-keys', 'unlinked'],
    ['restricted', 'restricted'],
    ['banned', 'blocked'],
    ['replaced', 'blocked'],
    ['outdated', 'outdated'],
  ] as const) {
    it(`after '${code}': ${kind}, at once, also for a gateway that has just started`, () => {
      assert.deepEqual(kindsOf(fallen(NUMERO, code, 0)), [kind]);
    });
  }

  it('that a gateway finds away when it starts: it is away, since it fell', () => {
    const incident = new Incidents(2 * MINUTE)
      .in([fallen(NUMERO, 'unreachable', MINUTE)], 3 * MINUTE)
      .get(NUMERO);
    assert.deepEqual(incident, { kind: 'away', since: MINUTE });
  });

  it('that nobody has linked: nothing, however long', () => {
    const waiting = { ...connected(NUMERO), state: STATES.authenticating, since: 0 };
    assert.deepEqual(
      kindsOf(waiting, waiting, waiting, fallen(NUMERO, 'not-scanned', 0)),
      Array(4).fill(undefined),
    );
  });

  it('that nobody has linked, and that does not reach WhatsApp either: nothing', () => {
    const code = { ...connected(NUMERO), state: STATES.authenticating, qrCode: '2@code', since: 0 };
    const unreachable = { ...fallen(NUMERO, 'unreachable', 0), state: 'SIN CONEXIÓN CON WHATSAPP...' };
    assert.deepEqual(kindsOf(code, ...Array(4).fill(unreachable)), Array(5).fill(undefined));
    const ended = fallen(NUMERO, 'not-scanned', 0);
    assert.deepEqual(kindsOf(ended, ...Array(4).fill(unreachable)), Array(5).fill(undefined));
    assert.deepEqual(kindsOf(ended, fallen(NUMERO, 'banned', 0)).at(-1), 'blocked');
  });

  it('that falls while it connects after a restart of the gateway: it is away', () => {
    const connecting = { ...connected(NUMERO), state: STATES.authenticating, since: 0 };
    assert.deepEqual(kindsOf(connecting, ...Array(3).fill(fallen(NUMERO, 'unreachable', 0))).at(-1), 'away');
  });

  it('that an operator has unlinked, and is linking again: nothing', () => {
    const waiting = { ...connected(NUMERO), state: STATES.authenticating };
    const moments = [connected(NUMERO), fallen(NUMERO, 'unlinked', 0), waiting, waiting, waiting, waiting];
    assert.deepEqual(kindsOf(...moments), Array(6).fill(undefined));
  });

  it('that may only answer: it is restricted, although it is connected', () => {
    const restricted = { ...connected(NUMERO), restricted: { text: 'Restringida' } };
    assert.deepEqual(kindsOf(connected(NUMERO), restricted, connected(NUMERO)), [
      undefined,
      'restricted',
      undefined,
    ]);
  });
});
