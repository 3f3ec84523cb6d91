import type { WireDetails, WireDetailsChange } from '../../../src/wire.ts';
import type { Profile } from '../ledger/archive.ts';

/** Returns the names of a session, as they are listed. */
export function namesOf({ name, label, group }: Profile): Pick<WireDetails, 'name' | 'label' | 'group'> {
  return {
    ...(name !== undefined && { name }),
    ...(label !== undefined && { label }),
    ...(group !== undefined && { group }),
  };
}

/** The details that are neither names nor of the present state. */
export type Vitals = Pick<
  WireDetails,
  'restricted' | 'quota' | 'lastSignal' | 'stability' | 'proxy' | 'exit'
>;

export function vitalsOf(session: Vitals): Vitals {
  const { restricted, quota, lastSignal, stability, proxy, exit } = session;
  return {
    ...(restricted && { restricted }),
    ...(quota && { quota }),
    ...(lastSignal !== undefined && { lastSignal }),
    ...(stability && { stability }),
    ...(proxy !== undefined && { proxy }),
    ...(exit !== undefined && { exit }),
  };
}

/** Returns the details of a session alone, without the step of a passkey, which has a push of its own. */
export function detailsOf(session: WireDetails): WireDetails {
  const { since, reason, codeExpires, link, by } = session;
  return {
    ...namesOf(session),
    ...(since !== undefined && { since }),
    ...(reason && { reason }),
    ...(codeExpires !== undefined && { codeExpires }),
    ...(link && { link }),
    ...(by !== undefined && { by }),
    ...vitalsOf(session),
  };
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
