/** `postgres://user:password@`, the hosts, and the rest. */
const PARTS = /^(?<start>postgres(?:ql)?:\/\/(?:[^/?#]*@)?)(?<hosts>[^/?#@]*)(?<end>.*)$/;

/** The servers of one database, of which one takes writes. The client library knows only URLs with one host. */
export class Hosts {
  readonly #urls: readonly string[];
  #place = 0;

  /** @param url `postgres://…`, with hosts separated by commas */
  constructor(url: string) {
    const { start = '', hosts = '', end = '' } = PARTS.exec(url)?.groups ?? {};
    this.#urls = start === '' ? [url] : hosts.split(',').map((host) => start + host + end);
  }

  get count(): number {
    return this.#urls.length;
  }

  /** The URL of the server to try now. */
  get current(): string {
    return this.#urls[this.#place] ?? '';
  }

  /** Tries the next one from now on: `failed` does not answer, or takes no writes. */
  skip(failed: string): void {
    if (failed === this.current) this.#place = (this.#place + 1) % this.#urls.length;
  }
}
