import { MOST_SESSIONS } from './limits.ts';

/** What a server said last of each of its sessions, by their names; of too many, the oldest is forgotten. */
export class LastOfEach extends Map<string, string> {
  override set(name: string, word: string): this {
    // Setting an existing key would keep its old place in the order.
    this.delete(name);
    super.set(name, word);
    const [oldest] = this.keys();
    if (this.size > MOST_SESSIONS && oldest !== undefined) this.delete(oldest);
    return this;
  }

  /** Forgets the sessions that the server does not list any more. */
  keepOnly(listed: readonly { readonly name: string }[]): void {
    const names = new Set(listed.map(({ name }) => name));
    for (const name of this.keys()) if (!names.has(name)) this.delete(name);
  }
}
