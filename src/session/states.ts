/** Classifies sessions in one table: what a session asks of the operator, how it looks, and what remedies it. */
import { type Permission, STATES } from '../wire.ts';
import type { Session } from './session.ts';

/**
 * What the operator has to do about a session: `nothing`; `wait`, since it passes by itself; `scan` the code that is
 * on the screen; `act`, since it takes a person; `unknown` where the panel does not know the state.
 */
export type Asks = 'nothing' | 'wait' | 'scan' | 'act' | 'unknown';

export type Severity = 'ok' | 'waiting' | 'attention';

export const severityOf = (asks: Asks): Severity =>
  asks === 'nothing' ? 'ok' : asks === 'wait' ? 'waiting' : 'attention';

/**
 * The remedy or next step for a session: a first `start`; the start `again`, since it hangs; a `retry` of the start that
 * failed; to `delete` it once more; to look at its `code`; to have a `newCode`; the next step of a `passkey`.
 */
export type Remedy = 'start' | 'again' | 'retry' | 'delete' | 'code' | 'newCode' | 'passkey';

/** What the remedies take that do not start the session. */
const OTHERS_TAKE: Partial<Record<Remedy, Permission>> = {
  code: 'codes',
  passkey: 'codes',
  delete: 'delete',
};

export const permissionFor = (remedy: Remedy): Permission => OTHERS_TAKE[remedy] ?? 'start';

export const isStart = (remedy: Remedy | undefined): boolean =>
  remedy !== undefined && permissionFor(remedy) === 'start';

interface Classification {
  readonly asks: Asks;
  /** What the picture shows instead of what it asks; `off`: it only needs a start. */
  readonly picture?: 'off' | 'wait';
  readonly remedy?: Remedy;
  /** `state`: the badge shows what the state asks, since a failed action is shown beside it. */
  readonly badge?: 'state';
  /** How urgent it is, where that is more than what it asks. */
  readonly urgency?: 'blocked' | 'restricted' | 'unlinked';
  /** Milliseconds without a change after which a session that waits for this is stuck. */
  readonly patience?: number;
}

const WAIT = { asks: 'wait' } as const;
const ACT = { asks: 'act', remedy: 'start' } as const;
/** A start does not help: WhatsApp blocked the account, or the administrator of the server has to act. */
const BLOCKED = { asks: 'act', urgency: 'blocked' } as const;
const OFF = { ...ACT, picture: 'off' } as const;

/** The state texts that the panel knows: docs/contract.md, States. */
const KNOWN_STATES = {
  [STATES.connected]: { asks: 'nothing' },
  [STATES.authenticating]: WAIT,
  [STATES.disconnected]: OFF,
  [STATES.closing]: WAIT,
  // whatsapp-web.js (`WAState`).
  OPENING: WAIT,
  PAIRING: WAIT,
  TIMEOUT: WAIT,
  CONFLICT: ACT,
  DEPRECATED_VERSION: BLOCKED,
  PROXYBLOCK: BLOCKED,
  SMB_TOS_BLOCK: BLOCKED,
  TOS_BLOCK: BLOCKED,
  UNLAUNCHED: OFF,
  UNPAIRED: { ...OFF, urgency: 'unlinked' },
  UNPAIRED_IDLE: { ...OFF, remedy: 'newCode' },
} as const satisfies Record<string, Classification>;

/** Other texts, and known texts with two meanings. */
const OTHER_STATES = {
  passing: WAIT,
  explained: ACT,
  unknown: { asks: 'unknown', remedy: 'start' },
  codeDue: WAIT,
} as const satisfies Record<string, Classification>;

/** Conditions by codes, time, failed actions and WhatsApp's limits: they say more than the state, and more than the server's reason. */
export const FINDINGS = {
  // The picture of a panel that shows no codes.
  code: { asks: 'scan', picture: 'wait', remedy: 'code' },
  codeExpired: { asks: 'act', remedy: 'newCode' },
  passkey: { asks: 'act', remedy: 'passkey' },
  // Servers that start a browser for each session need up to 30 s.
  noCode: { asks: 'act', remedy: 'again', patience: 60_000 },
  // A phone with years of messages may need a minute.
  notReady: { asks: 'act', remedy: 'again', patience: 90_000 },
  notPassing: { asks: 'act', remedy: 'again', patience: 180_000 },
  notDeleting: { asks: 'act', remedy: 'delete', patience: 30_000 },
  // The answer to its start is late.
  unanswered: { asks: 'act', remedy: 'again', badge: 'state' },
  notStarted: { asks: 'act', remedy: 'retry', badge: 'state' },
  notDeleted: { asks: 'act', remedy: 'delete', badge: 'state' },
  sendFailed: { asks: 'nothing' },
  notSending: { asks: 'act', remedy: 'again', badge: 'state' },
  // It goes on answering: nothing but time helps.
  restricted: { asks: 'act', badge: 'state', urgency: 'restricted' },
} as const satisfies Record<string, Classification>;

export type Stuck = 'noCode' | 'notReady' | 'notPassing' | 'notDeleting';

/** The key of a session's row in the table. */
export type Condition = keyof typeof KNOWN_STATES | keyof typeof OTHER_STATES | keyof typeof FINDINGS;

/** Those that the panel has a sentence for: what the others mean, the server says in its state text or its details. */
export type Explained = Exclude<Condition, 'passing' | 'explained' | 'restricted' | 'passkey'>;

export const CONDITIONS: Readonly<Record<Condition, Classification>> = {
  ...KNOWN_STATES,
  ...OTHER_STATES,
  ...FINDINGS,
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

/** Returns what the picture of a session shows, by the state alone: a session that is stuck is still waiting. */
export function pictureOf(session: Session): Asks | 'off' {
  const { picture, asks } = CONDITIONS[conditionByState(session)];
  return picture ?? asks;
}
