/** `postgres://user:password@`, the hosts, and the rest. */
const PARTS = /^(?<start>postgres(?:ql)?:\/\/(?:[^/?#]*@)?)(?<hosts>[^/?#@]+)(?<end>.*)$/;

/** Returns a URL for each host of a database's URL, which separates them by commas; undefined if it is not one. */
export function hostUrls(url: string): string[] | undefined {
  const { start, hosts, end } = PARTS.exec(url)?.groups ?? {};
  return hosts?.split(',').map((host) => `${start}${host}${end}`);
}

/** The servers of one database, of which one accepts writes. The client library knows only URLs with one host. */
export class Hosts {
  readonly #urls: readonly string[];
  #place = 0;

  /** @param url `postgres://…`, with hosts separated by commas */
  constructor(url: string) {
    this.#urls = hostUrls(url) ?? [url];
  }

  get count(): number {
    return this.#urls.length;
  }

  /** The URL of the server to try now. */
  get current(): string {
    return this.#urls[this.#place] ?? '';
  }

  /** Tries the next one from now on: `failed` does not answer, or accepts no writes. */
  skip(failed: string): void {
    if (failed === this.current) this.#place = (this.#place + 1) % this.#urls.length;
  }
}
