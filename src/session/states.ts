/** What a session asks of the operator, how it looks and what remedies it: one table, and the row of a session at a moment. */
import { DROP_REASONS, type Permission, STATES } from '../wire.ts';
import type { Cause, Details, Session } from './session.ts';

/**
 * What the operator has to do about a session: `nothing`; `wait`, since it passes by itself; `scan` the code that is
 * on the screen; `act`, since it takes a person; `unknown` where the panel does not know the state.
 */
export type Asks = 'nothing' | 'wait' | 'scan' | 'act' | 'unknown';

export type Severity = 'ok' | 'waiting' | 'attention';

export const severityOf = (asks: Asks): Severity =>
  asks === 'nothing' ? 'ok' : asks === 'wait' ? 'waiting' : 'attention';

/**
 * The remedy or next step for a session: to `start` it; a `retry` of the start that failed; to `delete` it once more; to
 * look at its `code`; to have a `newCode`; the next step of a `passkey`.
 */
export type Remedy = 'start' | 'retry' | 'delete' | 'code' | 'newCode' | 'passkey';

export function permissionFor(remedy: Remedy): Permission {
  if (remedy === 'delete') return remedy;
  return remedy === 'code' || remedy === 'passkey' ? 'codes' : 'start';
}

export const isStart = (remedy: Remedy | undefined): boolean =>
  remedy !== undefined && permissionFor(remedy) === 'start';

/** How the panel reads and shows a condition, and what remedies it. */
interface Classification {
  readonly asks: Asks;
  /** Milliseconds without a change after which a session that waits for this is stuck. */
  readonly patience?: number;
  /** It only needs a start: the picture shows that instead of what it asks. */
  readonly isOff?: boolean;
  readonly remedy?: Remedy;
  /** Where a start does not help: WhatsApp blocked the account, or the administrator of the server has to act. */
  readonly urgency?: 'blocked';
}

/** Milliseconds after which an answer of the server is late. */
export const ANSWER_DUE_MS = 30_000;

const NOTHING = { asks: 'nothing' } as const;
const WAIT = { asks: 'wait' } as const;
const ACT = { asks: 'act' } as const;
const START = { ...ACT, remedy: 'start' } as const;
const OFF = { ...START, isOff: true } as const;
const BLOCKED = { ...ACT, urgency: 'blocked' } as const;

/** The state texts that the panel knows: docs/contract.md, States. */
const KNOWN_STATES = {
  [STATES.connected]: NOTHING,
  [STATES.authenticating]: WAIT,
  [STATES.disconnected]: OFF,
  [STATES.closing]: WAIT,
  // whatsapp-web.js (`WAState`).
  OPENING: WAIT,
  PAIRING: WAIT,
  TIMEOUT: WAIT,
  CONFLICT: START,
  DEPRECATED_VERSION: BLOCKED,
  PROXYBLOCK: BLOCKED,
  SMB_TOS_BLOCK: BLOCKED,
  TOS_BLOCK: BLOCKED,
  UNLAUNCHED: OFF,
  UNPAIRED: OFF,
  UNPAIRED_IDLE: { ...OFF, remedy: 'newCode' },
} as const satisfies Record<string, Classification>;

/** Conditions by codes and time: they say more than the state, and more than the server's reason. */
export const FINDINGS = {
  code: { asks: 'scan', remedy: 'code' },
  codeExpired: { ...ACT, remedy: 'newCode' },
  passkey: { ...ACT, remedy: 'passkey' },
  // Servers that start a browser for each session need up to 30 s.
  noCode: { ...START, patience: 60_000 },
  // A phone with years of messages may need a minute.
  notReady: { ...START, patience: 90_000 },
  notPassing: { ...START, patience: 180_000 },
  notDeleting: { ...ACT, remedy: 'delete', patience: 30_000 },
} as const satisfies Record<string, Classification>;

/** What came of the operator's actions, and WhatsApp's limits: the badge still shows what the state asks. */
const RESULTS = {
  // The answer to its start is late.
  unanswered: { ...START, patience: ANSWER_DUE_MS },
  notStarted: { ...ACT, remedy: 'retry' },
  notDeleted: { ...ACT, remedy: 'delete' },
  sendFailed: NOTHING,
  notSending: START,
  // It goes on answering: nothing but time helps.
  restricted: ACT,
} as const satisfies Record<string, Classification>;

/** The key of a session's row in the table. */
export type Condition =
  | keyof typeof KNOWN_STATES
  | 'passing'
  | 'explained'
  | 'unknown'
  | 'codeDue'
  | keyof typeof FINDINGS
  | keyof typeof RESULTS;

/** Those that the panel has a sentence for: what the others mean, the server says in its state text or its details. */
export type Explained = Exclude<
  Condition,
  'passing' | 'explained' | 'restricted' | 'passkey' | Failure['what']
>;

export const CONDITIONS: Readonly<Record<Condition, Classification>> = {
  ...KNOWN_STATES,
  // Other texts, and a known text with two meanings.
  passing: WAIT,
  explained: START,
  unknown: { asks: 'unknown', remedy: 'start' },
  codeDue: WAIT,
  ...FINDINGS,
  ...RESULTS,
};

const isKnown = (state: string): state is keyof typeof KNOWN_STATES => Object.hasOwn(KNOWN_STATES, state);

type Stated = Pick<Session, 'state' | 'qrCode'>;

export function conditionByState({ state, qrCode }: Stated): Condition {
  if (state === STATES.connected) return state;
  if (qrCode !== undefined) return 'code';
  if (isKnown(state)) return state;
  if (/(\.{3}|…)$/.test(state)) return 'passing';
  // After a colon, the server explains.
  return state.includes(': ') ? 'explained' : 'unknown';
}

/** Returns what a session asks by its state text and code alone. */
export const asksOf = (session: Stated): Asks => CONDITIONS[conditionByState(session)].asks;

/** Returns what the picture of a session shows: the worst that is known of it, unless its state has a picture of its own. */
export function pictureOf({ session, status }: { session: Session; status: Status }): Asks | 'off' {
  return CONDITIONS[conditionByState(session)].isOff ? 'off' : status.asks;
}

/** A QR code that a session shows, and what is known of its age. Moments are milliseconds since 1970, by the browser's clock. */
export interface Code {
  /** Its first field, which names it: WhatsApp may replace its secret, another one, at any time. */
  readonly ref: string | undefined;
  /** When the panel received it, and when it ends. */
  readonly at: number;
  readonly until: number;
  /** Whether a push brought it: the age of one from a list is unknown. */
  readonly pushed: boolean;
  /** The operator asked to see it although its time was over. */
  readonly trusted?: boolean;
}

export interface Failure {
  readonly what: 'notStarted' | 'notDeleted';
  readonly message: string;
}

/** What a session is in follows from these. */
export interface Facts {
  /** As they are shown. */
  readonly session: Session;
  readonly details: Details;
  /** When and why the session became what it is. */
  readonly since: number;
  readonly cause: Cause;
  /** The last code since its start. It is kept while the session has none, since a list may bring it again. */
  readonly code?: Code | undefined;
}

/** What a status follows from. */
export interface Known extends Facts {
  /** When the panel saw that it had lost its connection; until it is CONNECTED again or somebody acts. */
  readonly dropSeenAt?: number | undefined;
  /** How many of its last test messages failed in a row. */
  readonly failedSends?: number | undefined;
  /** When the operator started it; until that is answered or something else happens. */
  readonly startAskedAt?: number | undefined;
  /** Why the operator's last action on it failed; a start until it succeeds after all or somebody acts. */
  readonly failure?: Failure | undefined;
}

export interface Status {
  readonly condition: Condition;
  readonly asks: Asks;
  /** `ended`: its time is over; `expired`: no other code followed at once. Undefined where no code is to be scanned. */
  readonly codeLife?: 'fresh' | 'ended' | 'expired' | undefined;
  /** When the code began and will end, where that is known. */
  readonly codeFrom?: number | undefined;
  readonly codeUntil?: number | undefined;
  /** When it lost its connection, as the panel saw or as the server tells. */
  readonly droppedAt?: number | undefined;
  /** When the status changes by time alone. */
  readonly changesAt?: number;
}

/** Milliseconds that a code may be on its way. */
const LATENCY_MS = 500;
/** Milliseconds from the end of a code until no other is expected. */
const OVERDUE_MS = 2500;

export function badgeOf(session: Session, { asks, condition }: Status): Asks {
  return condition in RESULTS ? asksOf(session) : asks;
}

/** The one next step of the operator. */
export function remedyFor({
  status,
  details,
}: {
  status: Pick<Status, 'condition'>;
  details: Details;
}): Remedy | undefined {
  const remedy = CONDITIONS[status.condition].remedy;
  const { step, url } = details.passkey ?? {};
  // Who has the phone has a link already.
  if (remedy === 'passkey' && step === 'sign' && !url && (details.link?.expires ?? 0) > Date.now())
    return undefined;
  // The code ran out before the page was opened.
  return remedy === 'start' && details.reason?.code === 'not-scanned' ? 'newCode' : remedy;
}

export function needsAttention({ asks }: Pick<Status, 'asks'>): boolean {
  return severityOf(asks) === 'attention';
}

export function statusOf(known: Known, now: number): Status {
  const { session, details, code, failure, startAskedAt, failedSends = 0 } = known;
  const isConnected = session.state === STATES.connected;
  const isLate = startAskedAt !== undefined && elapsed(startAskedAt, now) >= ANSWER_DUE_MS;
  const codeLife = codeLifeOf(known, now);
  const timed = codeLife && codeLife !== 'expired' ? code : undefined;
  // How old one from a list is, is unknown, but not what it has left of the longest life, in milliseconds.
  const until = timed && (timed.pushed || details.codeExpires === timed.until) ? timed.until : undefined;
  const wait = waitOf(session);
  const changes = [
    timed && timed.until + LATENCY_MS,
    timed && timed.until + OVERDUE_MS,
    wait && waitingSince(known) + FINDINGS[wait].patience,
    isConnected && details.restricted?.until,
    startAskedAt !== undefined && startAskedAt + ANSWER_DUE_MS,
  ]
    .filter((at) => typeof at === 'number')
    .filter((at) => at > now);

  function conditionNow(): Condition {
    if (isLate) return 'unanswered';
    if (failure) return failure.what;
    const own = conditionOf(known, now);
    if (own !== STATES.connected || failedSends === 0) return own;
    return failedSends > 1 ? 'notSending' : 'sendFailed';
  }
  const condition = conditionNow();
  return {
    condition,
    // A session that could not be deleted and works as before needs nobody.
    asks: condition === 'notDeleted' && isConnected ? 'nothing' : CONDITIONS[condition].asks,
    codeLife,
    codeFrom: until && (timed?.pushed ? timed.at : until - 60_000),
    codeUntil: until,
    droppedAt: known.dropSeenAt ?? droppedAt(known),
    changesAt: changes.length > 0 ? Math.min(...changes) : undefined,
  };
}

/** Returns what a session is in, whatever was done about it in this panel. */
export function conditionOf(known: Facts, now: number): Condition {
  const { session, details } = known;
  const { state, qrCode } = session;
  // In another step there is nothing to do.
  if (/^(sign|confirm)$/.test(details.passkey?.step ?? '') && !qrCode && isDisconnected(session))
    return 'passkey';
  const wait = waitOf(session);
  if (wait && elapsed(waitingSince(known), now) >= FINDINGS[wait].patience) return wait;
  if (codeLifeOf(known, now) === 'expired') return 'codeExpired';
  if (known.cause === 'qr_timeout') return 'UNPAIRED_IDLE';
  const { restricted } = details;
  if (restricted && state === STATES.connected && now < (restricted.until ?? Infinity)) return 'restricted';
  const byState = conditionByState(session);
  return byState === STATES.authenticating && session.waiting ? 'codeDue' : byState;
}

function codeLifeOf({ session: { state, qrCode }, code }: Facts, now: number): Status['codeLife'] {
  // Some servers still send the code of a connected session, which nobody has to scan.
  if (!code || qrCode === undefined || state === STATES.connected || code.trusted) return undefined;
  const { at, until } = code;
  // The age of a code from the future is unknown: the clock was set back.
  if (now >= until + OVERDUE_MS || now < at - LATENCY_MS) return 'expired';
  return now < until + LATENCY_MS ? 'fresh' : 'ended';
}

/** Whether a session has dropped, as the server tells it. */
export const isDropped = ({ session, details }: Pick<Facts, 'session' | 'details'>): boolean =>
  isDisconnected(session) && DROP_REASONS.has(details.reason?.code);

/** Returns when it did. */
export const droppedAt = (known: Pick<Facts, 'session' | 'details'>): number | undefined =>
  isDropped(known) ? known.details.since : undefined;

/** Whether it is not connected, and is not being deleted. */
const isDisconnected = ({ state }: Session) => state !== STATES.connected && state !== STATES.closing;

/** Milliseconds since a moment. A moment in the future counts too: the clock was set back, and nothing waits for that. */
export const elapsed = (since: number, now: number): number => Math.abs(now - since);

/** A list shows a state that may have begun long before. But the server does not tell when a phone scanned the code. */
function waitingSince({ session, details, cause, since }: Facts): number {
  const isTold = cause === 'listed' && asksOf(session) === 'wait' && waitOf(session) !== 'notReady';
  return isTold ? Math.min(since, details.since ?? since) : since;
}

/** Returns what a waiting session is stuck in if it does not change for long. */
function waitOf(session: Session) {
  if (session.qrCode !== undefined) return undefined;
  if (session.state === STATES.closing) return 'notDeleting';
  if (session.state === STATES.connected) return session.waiting ? 'notPassing' : undefined;
  if (session.waiting) return 'noCode';
  if (asksOf(session) !== 'wait') return undefined;
  return session.state === STATES.authenticating ? 'notReady' : 'notPassing';
}
