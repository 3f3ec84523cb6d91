import type { WireDetails, WireDetailsChange } from '../../../src/wire.ts';
import type { Profile } from '../ledger/archive.ts';

const NAMES = ['name', 'label', 'group'] as const;
const VITALS = ['restricted', 'quota', 'lastSignal', 'stability', 'proxy', 'exit'] as const;
/** All without the step of a passkey, which has a push of its own. */
const DETAILS = [...NAMES, 'since', 'reason', 'codeExpires', 'link', 'by', ...VITALS] as const;

/** The details that are neither names nor of the present state. */
export type Vitals = Pick<WireDetails, (typeof VITALS)[number]>;

/** Returns the names of a session, as they are listed. */
export function namesOf(profile: Profile): Pick<WireDetails, (typeof NAMES)[number]> {
  return existing(profile, NAMES);
}

export function vitalsOf(session: Vitals): Vitals {
  return existing(session, VITALS);
}

/** Returns the details of a session alone. */
export function detailsOf(session: WireDetails): WireDetails {
  return existing(session, DETAILS);
}

/** Returns these fields of an object, as far as they exist. */
function existing(from: object, names: readonly string[]): object {
  return Object.fromEntries(
    Object.entries(from).filter(([name, value]) => value !== undefined && names.includes(name)),
  );
}

/** Returns what of a session other gateways have to know besides its state: its details, and the step of a passkey. */
export function storedOf(session: WireDetails): WireDetails {
  const { passkey } = session;
  return { ...detailsOf(session), ...(passkey && { passkey }) };
}

/** Returns what changed, as it is pushed; undefined if nothing did. */
export function changeBetween(before: WireDetails, after: WireDetails): WireDetailsChange | undefined {
  const one = new Map<string, unknown>(Object.entries(detailsOf(before)));
  const other = new Map<string, unknown>(Object.entries(detailsOf(after)));
  const names = [...new Set([...one.keys(), ...other.keys()])];
  const changed = names.filter((name) => JSON.stringify(one.get(name)) !== JSON.stringify(other.get(name)));
  if (changed.length === 0) return undefined;
  return Object.fromEntries(changed.map((name) => [name, other.get(name) ?? null]));
}
