/** Where a gateway without a token listens: nobody else can reach that. */
export const LOOPBACK = '127.0.0.1';

/** Addresses that stand for every one that this machine has. */
const EVERYWHERE = new Set(['0.0.0.0', '::']);

export function isEverywhere(host: string): boolean {
  return EVERYWHERE.has(host);
}

/** A name or an address as URLs and the header Host have it. */
export function inUrl(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

/**
 * The name or the address that a text says, as URLs write it but without brackets; undefined where it says none.
 * localhost is two addresses on most machines: of them, the one that everybody else means too.
 */
export function parseHost(text: string): string | undefined {
  const bare = text.replace(/^\[(.*)\]$/, '$1');
  const url = URL.canParse(`http://${inUrl(bare)}`) ? new URL(`http://${inUrl(bare)}`) : undefined;
  if (!url || url.href !== `http://${url.hostname}/`) return undefined;
  return url.hostname === 'localhost' ? LOOPBACK : url.hostname.replace(/^\[(.*)\]$/, '$1');
}
