import type { PhoneFault } from './faults.ts';
import type { ReportedState } from './reported-states.ts';

/** A session that is on the list from the beginning. */
export interface Seed {
  numero: string;
  /** `waiting` (for a code) and `linking` (scanned, not ready) stay as they are until somebody starts them again. */
  state: 'connected' | 'qr' | 'disconnected' | 'waiting' | 'linking';
  /** With state `qr`: how long its first code has been up, in milliseconds; default 0, at most 60 000. */
  codeAge?: number;
  /** What goes wrong with its phone, until somebody takes it away. Default nothing. */
  fault?: PhoneFault;
  /** What WhatsApp has reported of it last. Default nothing. */
  reported?: ReportedState;
}

/** As WhatsApp writes mobile numbers of Mexico, Argentina, Spain, Colombia, Chile and Peru, less 8 digits. */
const PREFIXES = ['52155', '54911', '346', '5731', '569', '519'] as const;

/** The ages of generated codes lie this far apart, so that a thousand of them do not expire all at once. */
const AGE_STEP = 7;

/** Of so many sessions, those that {@link EXCEPTIONS} names are not simply connected, or show a code. */
const BLOCK = 60;
/** Every tenth shows a code, from the second on. */
const WITH_CODE = { every: 10, first: 1 };

/**
 * One of each fault, wide apart. The first six are what a first look at the panel should meet: nothing there is
 * worse than a session that is off and one that waits.
 */
const EXCEPTIONS: Readonly<Record<number, Omit<Seed, 'numero'>>> = {
  3: { state: 'disconnected' },
  4: { state: 'waiting' },
  8: { state: 'connected', reported: 'CONFLICT' },
  14: { state: 'linking' },
  19: { state: 'connected', fault: 'failing-sends' },
  // Its code expires ten seconds after the gateway has started.
  23: { state: 'qr', fault: 'stale-code', codeAge: 50_000 },
  28: { state: 'disconnected', reported: 'UNPAIRED' },
  34: { state: 'disconnected', fault: 'refuses' },
  39: { state: 'connected', reported: 'TOS_BLOCK' },
  45: { state: 'connected', fault: 'slow-delete' },
  50: { state: 'connected', reported: 'HIBERNATING' },
};

/**
 * As many sessions as asked for, of different countries, most of them connected; the same ones each time. From
 * seven on some are in fault, about one in six, each of another kind.
 */
export function createSeeds(count: number): Seed[] {
  return Array.from({ length: count }, (_, index) => {
    const prefix = PREFIXES[index % PREFIXES.length] ?? PREFIXES[0];
    // A step that shares no factor with the range visits every number of it before it comes to one again.
    const local = 10_000_000 + (((index + 3) * 7_654_321) % 90_000_000);
    return { numero: `${prefix}${local}`, ...conditionOf(index) };
  });
}

function conditionOf(index: number): Omit<Seed, 'numero'> {
  const exception = EXCEPTIONS[index % BLOCK];
  if (exception) return exception;
  if (index % WITH_CODE.every !== WITH_CODE.first) return { state: 'connected' };
  return { state: 'qr', codeAge: (index * AGE_STEP) % 60_000 };
}
