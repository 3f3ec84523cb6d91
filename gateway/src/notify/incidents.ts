import { DROP_REASONS, STATES, type WireListItem } from '../../../src/wire.ts';

/** What can be the matter with a number: it is away, or a person has to act. */
export const INCIDENTS = ['away', 'unlinked', 'restricted', 'blocked', 'outdated'] as const;

type IncidentKind = (typeof INCIDENTS)[number];

export interface Incident {
  readonly kind: IncidentKind;
  /** Since when, in milliseconds since 1970. */
  readonly since: number;
}

/** The codes of reasons for which a person has to act (docs/reasons.md); after others, sessions come back by themselves. */
const NEEDS_PERSON = new Map<string | undefined, IncidentKind>([
  ['logged-out', 'unlinked'],
  ['device-removed', 'unlinked'],
  ['dead-keys', 'unlinked'],
  ['relinking', 'unlinked'],
  ['restricted', 'restricted'],
  ['banned', 'blocked'],
  ['replaced', 'blocked'],
  ['passkey', 'blocked'],
  ['other-number', 'blocked'],
  ['outdated', 'outdated'],
]);

/**
 * Tells from the list what is the matter with each number. One that has not been connected, such as a new one that nobody
 * has linked yet, is not away; nor is one that an operator has unlinked.
 */
export class Incidents {
  readonly #after: number;
  /** Sessions that should be connected: since when they are not, in milliseconds since 1970; undefined if they are. */
  #expected: ReadonlyMap<string, number | undefined> = new Map();
  /** Sessions that no phone is linked to: they are not away, whatever cannot be reached. */
  #unlinked: ReadonlySet<string> = new Set();

  /** @param after how long a session may be away before that is an incident, in milliseconds */
  constructor(after: number) {
    this.#after = after;
  }

  /** Returns the incidents by numero. */
  in(sessions: readonly WireListItem[], now: number): Map<string, Incident> {
    const expected = new Map<string, number | undefined>();
    const unlinked = new Set<string>();
    const incidents = new Map<string, Incident>();
    for (const session of sessions) {
      const { numero, state, reason, restricted, since = now } = session;
      if (state === STATES.connected) {
        expected.set(numero, undefined);
        if (restricted) incidents.set(numero, { kind: 'restricted', since: now });
        continue;
      }
      if (!this.#isExpected(session)) {
        // One that only connects may be linked.
        if (state === STATES.disconnected || session.qrCode !== undefined || this.#unlinked.has(numero))
          unlinked.add(numero);
        continue;
      }
      // The state may change several times while a session is away. The clock may have been set back.
      const away = Math.min(now, this.#expected.get(numero) ?? since);
      expected.set(numero, away);
      const kind = NEEDS_PERSON.get(reason?.code) ?? 'away';
      if (kind !== 'away' || now - away >= this.#after) incidents.set(numero, { kind, since: away });
    }
    this.#expected = expected;
    this.#unlinked = unlinked;
    return incidents;
  }

  #isExpected({ numero, reason }: WireListItem): boolean {
    if (reason?.code === 'unlinked') return false;
    // After a restart of the gateway, only the reason shows that the session was connected.
    if (this.#expected.has(numero) || reason?.code === 'outdated') return true;
    return DROP_REASONS.has(reason?.code) && (NEEDS_PERSON.has(reason?.code) || !this.#unlinked.has(numero));
  }
}
