import { LONGEST_LIST } from './limits.ts';

/** A server's last report about each of its sessions, by name; if there are too many, the oldest is dropped. */
export class LastOfEach<Report = string> extends Map<string, Report> {
  override set(name: string, word: Report): this {
    // Setting an existing key would keep its old place in the order.
    this.delete(name);
    super.set(name, word);
    const [oldest] = this.keys();
    if (this.size > LONGEST_LIST && oldest !== undefined) this.delete(oldest);
    return this;
  }

  /** Forgets sessions that the server no longer lists. */
  keepOnly(listed: readonly { readonly name: string }[]): void {
    const names = new Set(listed.map(({ name }) => name));
    for (const name of this.keys()) if (!names.has(name)) this.delete(name);
  }
}
