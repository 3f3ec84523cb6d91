import type { Logger } from 'pino';
import type { Ledger } from '../ledger/ledger.ts';
import { type ChannelState, readState } from './channel-state.ts';

/** A state as it is stored. */
export interface StoredState {
  readonly state: ChannelState;
  /** Undefined if nothing is stored. */
  readonly version: string | undefined;
}

const NOTHING: ChannelState = { told: {}, last: 0 };

/** Keeps the state of a channel for all gateways with the same store. Both methods reject with a `StoreError`. */
export class ChannelStore {
  readonly #ledger: () => Ledger;
  readonly #name: string;
  readonly #log: Logger;
  /** The last state that was read or written: to parse that of thousands of numbers at each look takes too long. */
  #last: StoredState = { state: NOTHING, version: undefined };

  /** @param name the channel's */
  constructor(ledger: () => Ledger, name: string, log: Logger) {
    this.#ledger = ledger;
    this.#name = name;
    this.#log = log;
  }

  /** Resolves with the state; undefined if that was damaged, and somebody else has replaced it. */
  async read(): Promise<StoredState | undefined> {
    const told = await this.#ledger().told.read(this.#name);
    if (told?.version === this.#last.version) return this.#last;
    const { version, text = '' } = told ?? {};
    const state = readState(text);
    if (state) {
      this.#last = { state, version };
      return this.#last;
    }
    this.#log.error('What was told of the numbers is damaged: what is still the case is told again.');
    return this.replace({ state: NOTHING, version }, NOTHING);
  }

  /** Resolves with the new state; undefined if somebody else has replaced the stored one meanwhile. */
  async replace({ version: before }: StoredState, state: ChannelState): Promise<StoredState | undefined> {
    const version = await this.#ledger().told.replace(this.#name, JSON.stringify(state), before);
    if (version === undefined) return undefined;
    this.#last = { state, version };
    return this.#last;
  }
}
