import { randomUUID } from 'node:crypto';
import { type Cipher, DecryptionError } from './cipher.ts';
import type { Driver } from './driver.ts';
import type { Operations } from './operations.ts';

/** Keeps what was told of the numbers, for all processes with this store. Both methods reject with a `StoreError`. */
export class ToldStore {
  readonly #driver: Driver;
  readonly #cipher: Cipher;
  readonly #operations: Operations;

  constructor(driver: Driver, cipher: Cipher, operations: Operations) {
    this.#driver = driver;
    this.#cipher = cipher;
    this.#operations = operations;
  }

  /** Returns what a channel has told, and no text if that is damaged; undefined before the first time. */
  read(channel: string): Promise<{ text: string | undefined; version: string } | undefined> {
    return this.#operations.later('read-told', '', async () => {
      const told = await this.#driver.told(channel);
      return told && { text: this.#opened(told.text, channel), version: told.version };
    });
  }

  #opened(text: string, channel: string): string | undefined {
    try {
      return this.#cipher.open(text, toldPlace(channel));
    } catch (error) {
      if (error instanceof DecryptionError) return undefined;
      throw error;
    }
  }

  /**
   * Replaces what a channel has told. Resolves with the new version; undefined if another process has replaced it.
   *
   * @param before the version that is replaced; undefined for the first time
   */
  replace(channel: string, text: string, before: string | undefined): Promise<string | undefined> {
    const told = { text: this.#cipher.seal(text, toldPlace(channel)), version: randomUUID() };
    return this.#operations.later('write-told', '', async () => {
      return (await this.#driver.keepTold(channel, told, before)) ? told.version : undefined;
    });
  }
}

/** Where what a channel has told is sealed. */
export function toldPlace(channel: string): readonly string[] {
  return ['told', channel];
}
