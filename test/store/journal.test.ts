import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { addTo, type Journal } from '../../src/session/journal.ts';
import { apply, type Description, NO_DETAILS, type SessionEvent } from '../../src/session/session.ts';
import { Random } from '../attack/random.ts';

const numero = '5491155550001';
const KINDS: readonly Exclude<SessionEvent['type'], 'created' | 'details' | 'code' | 'ack'>[] = [
  'qr',
  'disconnected',
  'authenticated',
  'qr_timeout',
  'ready',
  'change_state',
  'started',
  'deleted',
];

function anyEvent(random: Random): SessionEvent {
  const type = random.pick(KINDS);
  if (type === 'qr') return { type, numero, qrCode: `2@${random.integer(1, 3)}` };
  if (type === 'change_state') return { type, numero, state: random.pick(['CONNECTED', 'OPENING', 'ALGO']) };
  return { type, numero };
}

describe('the journal of a call that hangs', () => {
  it('keeps the last event of each type and numero, in order', () => {
    const journal: Journal = new Map();
    for (let at = 0; at < 10_000; at += 1) {
      addTo(journal, { type: 'qr', numero: String(at % 2), qrCode: `2@${at}`, at });
      addTo(journal, { type: 'ready', numero: String(at % 2), at });
    }
    assert.deepEqual(
      Array.from(journal.values(), ({ type, numero, at }) => [type, numero, at]),
      [
        ['qr', '0', 9_998],
        ['ready', '0', 9_998],
        ['qr', '1', 9_999],
        ['ready', '1', 9_999],
      ],
    );
  });

  it('merges changes of details, and starts over when the session is created again', () => {
    const journal: Journal = new Map();
    const events: SessionEvent[] = [
      { type: 'details', numero, change: { name: 'Ventas', group: 'Norte' } },
      { type: 'deleted', numero },
      { type: 'details', numero, change: { name: 'Soporte' } },
      { type: 'details', numero, change: { group: 'Sur' } },
    ];
    for (const [at, event] of events.entries()) addTo(journal, { ...event, at });
    assert.deepEqual(
      Array.from(journal.values(), ({ at, ...event }) => event),
      [
        { type: 'deleted', numero },
        { type: 'details', numero, change: { name: 'Soporte', group: 'Sur' } },
      ],
    );
    const session = { numero, state: 'OPENING', waiting: false };
    addTo(journal, { type: 'created', numero, session, details: {}, at: 9 });
    assert.deepEqual(
      Array.from(journal.values(), ({ type }) => type),
      ['deleted', 'created'],
    );
  });

  it('leads to the same session as all events would', () => {
    const random = new Random(12);
    const listed: readonly (Description | undefined)[] = [
      undefined,
      { session: { numero, state: 'CONNECTED', waiting: false }, details: NO_DETAILS },
      { session: { numero, state: 'AUTENTICANDO...', qrCode: '2@0', waiting: true }, details: NO_DETAILS },
    ];
    for (let round = 0; round < 2_000; round += 1) {
      const events = Array.from({ length: random.integer(0, 12) }, () => anyEvent(random));
      const journal: Journal = new Map();
      for (const [at, event] of events.entries()) addTo(journal, { ...event, at });
      const known = random.pick([0, 1, 2].map((index) => ({ before: listed[index] }))).before;
      const all = events.reduce(apply, known);
      const kept = [...journal.values()].reduce(apply, known);
      assert.deepEqual(kept, all, JSON.stringify(events));
    }
  });
});
