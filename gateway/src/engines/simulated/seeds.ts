import { STATES } from '../../../../src/wire.ts';
import type { SeedRow } from '../../ledger/seed.ts';
import { digitsOf } from '../../numbers.ts';
import type { PhoneFault, ReportedState } from './faults.ts';

/** The credentials of a linked phone. */
export const LINKED = '{"linked":true}';

/** An initial session. */
export interface Seed {
  numero: string;
  /** `waiting` (for a code) and `linking` (scanned, not ready) last until the session is started again. */
  state: 'connected' | 'qr' | 'disconnected' | 'waiting' | 'linking';
  /** With state `qr`: the age of its first code, in milliseconds; default 0, at most 60 000. */
  codeAge?: number;
  /** The phone's fault, until somebody removes it. Default none. */
  fault?: PhoneFault;
  /** The state that WhatsApp reported last. Default none. */
  reported?: ReportedState;
}

/** Mobile prefixes of Mexico, Argentina, Spain, Colombia, Chile and Peru as WhatsApp writes them, less 8 digits. */
const PREFIXES = ['52155', '54911', '346', '5731', '569', '519'] as const;

/** Milliseconds between the ages of generated codes, so that a thousand of them do not expire at once. */
const AGE_STEP = 7;

/** {@link EXCEPTIONS} repeat after this many sessions; the others are connected or show a code. */
const BLOCK = 60;
/** Every tenth shows a code, from the second on. */
const WITH_CODE = { every: 10, first: 1 };

/**
 * Faults and odd states that are worth a look, each in one session, far apart. The first six are for a first look at the panel: nothing there
 * is worse than a session that is off and one that waits.
 */
const EXCEPTIONS: Readonly<Record<number, Omit<Seed, 'numero'>>> = {
  3: { state: 'disconnected' },
  4: { state: 'waiting' },
  8: { state: 'connected', reported: 'CONFLICT' },
  14: { state: 'linking' },
  19: { state: 'connected', fault: 'failing-sends' },
  // Its code expires ten seconds after the gateway's start.
  23: { state: 'qr', fault: 'stale-code', codeAge: 50_000 },
  28: { state: 'disconnected', reported: 'UNPAIRED' },
  34: { state: 'disconnected', fault: 'refuses' },
  39: { state: 'connected', reported: 'TOS_BLOCK' },
  45: { state: 'connected', fault: 'slow-delete' },
  50: { state: 'connected', reported: 'HIBERNATING' },
  54: { state: 'connected', fault: 'restricted' },
  58: { state: 'connected', fault: 'zombie' },
};

/**
 * Returns the given number of sessions from several countries, most of them connected; always the same ones. From seven
 * on, about one in five has a fault or an odd state, each a different one.
 */
export function createSeeds(count: number): Seed[] {
  return Array.from({ length: count }, (_, index) => {
    const prefix = PREFIXES[index % PREFIXES.length] ?? PREFIXES[0];
    // A step that shares no factor with the range visits every number before repeating one.
    const local = 10_000_000 + (((index + 3) * 7_654_321) % 90_000_000);
    return { numero: `${prefix}${local}`, ...conditionOf(index) };
  });
}

/**
 * Returns what a database keeps of seeds: whether they are linked. Codes, faults and reported states belong to one
 * gateway's phones, and are not stored.
 */
export function seedRows(seeds: readonly Seed[]): SeedRow[] {
  return seeds.map(({ numero, state }) =>
    state === 'connected' || state === 'linking'
      ? { numero, state: STATES.authenticating, credentials: LINKED }
      : { numero, state: STATES.disconnected, credentials: undefined },
  );
}

function conditionOf(index: number): Omit<Seed, 'numero'> {
  const exception = EXCEPTIONS[index % BLOCK];
  if (exception) return exception;
  if (index % WITH_CODE.every !== WITH_CODE.first) return { state: 'connected' };
  return { state: 'qr', codeAge: (index * AGE_STEP) % 60_000 };
}

const TEAMS = [
  'Ventas',
  'Soporte',
  'Cobranza',
  'Pedidos',
  'Reservas',
  'Taller',
  'Tienda',
  'Atención',
  'Entregas',
  'Postventa',
  'Recepción',
] as const;

const PLACES = ['Norte', 'Centro', 'Sur', 'Este', 'Oeste', 'Costa', 'Puerto'] as const;

/** Returns the name of a numero's account: always the same, and shared by some other numeros. */
export function accountName(numero: string): string {
  const digits = Number(digitsOf(numero).slice(-8));
  const team = TEAMS[digits % TEAMS.length] ?? TEAMS[0];
  const place = PLACES[digits % PLACES.length] ?? PLACES[0];
  return `${team} ${place}`;
}
