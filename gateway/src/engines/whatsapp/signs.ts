import type {
  BinaryNode,
  NewChatMessageCapInfo,
  ReachoutTimelockState,
  WASocket,
} from '@whiskeysockets/baileys';
import { type Limit, SIGNAL_EVERY, type Sign } from '../../sessions/engine.ts';

/**
 * WhatsApp's error code for a message to somebody who has never written: it restricts the account, or the message lacks
 * the privacy token that it should have.
 */
export const NOT_ALLOWED = '463';

/** What a session learns beside its state; outlives its connections. */
export class Signs {
  #quietUntil = 0;
  #limit: Limit | undefined;

  /** Whether WhatsApp keeps the account from writing to new contacts. */
  get isLimited(): boolean {
    return this.#limit !== undefined && !this.isLimitOver;
  }

  /** Whether a limit has expired, and WhatsApp has not told what comes next. */
  get isLimitOver(): boolean {
    const until = this.#limit?.until;
    return until !== undefined && until <= Date.now();
  }

  /** Has the next `signal` reported at once. */
  expectSignal(): void {
    this.#quietUntil = 0;
  }

  /** Reports what the connection of a socket brings, from when it is open. */
  listen({ ev, ws }: WASocket, report: (sign: Sign) => void): void {
    const onNode = (node: BinaryNode) => {
      if (this.#isSignal(node)) report({ type: 'signal' });
    };
    ev.on('connection.update', ({ connection, reachoutTimeLock }) => {
      if (connection === 'open') ws.on('frame', onNode);
      if (!reachoutTimeLock) return;
      this.#limit = limitOf(reachoutTimeLock);
      report({ type: 'limited', limit: this.#limit });
    });
    ev.on('message-capping.update', (info) => {
      const sign = quotaSign(info);
      if (sign) report(sign);
    });
  }

  /** Called for each node: creates nothing. */
  #isSignal({ tag, content }: BinaryNode): boolean {
    // A keep-alive of the server, or its answer to one: these also come on the connection of a dead session.
    if (tag === 'iq' && content === undefined) return false;
    const now = performance.now();
    if (now < this.#quietUntil) return false;
    this.#quietUntil = now + SIGNAL_EVERY;
    return true;
  }
}

function limitOf({ isActive, timeEnforcementEnds }: ReachoutTimelockState): Limit | undefined {
  if (!isActive) return undefined;
  const until = timeEnforcementEnds?.getTime();
  return until ? { until } : {};
}

/** Returns undefined for a quota that is not one. */
function quotaSign({ total_quota, used_quota }: NewChatMessageCapInfo): Sign | undefined {
  const [used, total] = [integer(used_quota), integer(total_quota)];
  if (total === -1) return { type: 'quota', quota: undefined };
  return used >= 0 && total >= 0 ? { type: 'quota', quota: { used, total } } : undefined;
}

/** WhatsApp sends some numbers as text. */
function integer(value: unknown): number {
  return /^-?\d{1,15}$/.test(String(value)) ? Number(value) : Number.NaN;
}
