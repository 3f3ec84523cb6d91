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
  /** The last state that was read or written: to parse that of thousands of numbers at each look takes too long. */
  #last: StoredState = { state: NOTHING, version: undefined };

  /** @param name the channel's */
  constructor(ledger: () => Ledger, name: string) {
    this.#ledger = ledger;
    this.#name = name;
  }

  async read(): Promise<StoredState> {
    const told = await this.#ledger().told.read(this.#name);
    if (told?.version !== this.#last.version) {
      this.#last = { state: (told && readState(told.text)) ?? NOTHING, version: told?.version };
    }
    return this.#last;
  }

  /** Resolves with the new state; undefined if somebody else has replaced the stored one meanwhile. */
  async replace({ version: before }: StoredState, state: ChannelState): Promise<StoredState | undefined> {
    const version = await this.#ledger().told.replace(this.#name, JSON.stringify(state), before);
    if (version === undefined) return undefined;
    this.#last = { state, version };
    return this.#last;
  }
}
