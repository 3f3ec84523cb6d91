import { randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { Agent, request } from 'undici';
import { DecryptionError } from '../ledger/cipher.ts';
import type { Member } from './member.ts';
import {
  CLUSTER_PATH,
  type ForwardedCall,
  HEAD_HEADER,
  openAs,
  PLACES,
  type RouteAnswer,
  SealedAnswer,
} from './sealed.ts';

/** Longest wait for a connection to another gateway, in milliseconds. */
const CONNECT_TIMEOUT = 3_000;
/** Longest answer, in bytes. */
const LONGEST = 16 * 1_048_576;
/** Most gateways whose clocks are remembered. */
const CLOCKS = 1_000;

/** Another gateway, to which a call has to go. */
export interface Target {
  readonly id: string;
  readonly url: string;
}

/** Calls other gateways of the cluster, and accepts only sealed answers. */
export class Caller {
  readonly #member: Member;
  readonly #agent = new Agent({
    connect: { timeout: CONNECT_TIMEOUT },
    // Callers say how long an answer may take.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxResponseSize: LONGEST,
  });
  /**
   * By how many milliseconds the clock of a node's process is ahead of this one's; each clock starts with its process.
   */
  readonly #ahead = new LRUCache<string, number>({ max: CLOCKS });

  constructor(member: Member) {
    this.#member = member;
  }

  /**
   * Resolves with the id of the process at a URL. Rejects with a `DecryptionError` if that process is not part of this
   * cluster, or with undici's error.
   */
  async whoIsAt(url: string, signal: AbortSignal): Promise<string> {
    return (await this.#exchange(url, null, signal)).process;
  }

  /**
   * Resolves with the answer of a node; undefined if the process at its URL is not that node. Rejects as {@link whoIsAt}
   * does.
   */
  async call(target: Target, call: ForwardedCall, signal: AbortSignal): Promise<RouteAnswer | undefined> {
    const { answer, node } = await this.#exchange(target.url, target.id, signal, call);
    // Another node cannot know whether the right one took the call.
    if (answer || node !== target.id) return answer;
    // The other clock is known now, and a call that was not taken had no effect.
    return (await this.#exchange(target.url, target.id, signal, call)).answer;
  }

  /** Ends the calls under way. */
  async close(): Promise<void> {
    await this.#agent.destroy();
  }

  async #exchange(url: string, to: string | null, signal: AbortSignal, call?: ForwardedCall) {
    const { cipher } = this.#member;
    const id = randomUUID();
    const at = performance.now() + (this.#ahead.get(to ?? '') ?? 0);
    const response = await request(`${url}${CLUSTER_PATH}`, {
      method: 'POST',
      headers: {
        [HEAD_HEADER]: cipher.seal(JSON.stringify({ id, to, at }), PLACES.head),
        'content-type': 'application/octet-stream',
      },
      body: call && cipher.seal(JSON.stringify(call), PLACES.call(id)),
      dispatcher: this.#agent,
      signal,
    });
    const sealed = await response.body.text();
    try {
      const answer = openAs(SealedAnswer, cipher, sealed, PLACES.answer(id));
      if (to !== null) this.#ahead.set(to, answer.now - performance.now());
      return answer;
    } catch (error) {
      if (error instanceof DecryptionError) this.#member.suspectSecret();
      throw error;
    }
  }
}
