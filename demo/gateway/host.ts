/** The address that only this machine can reach, where a gateway without a token listens. */
export const LOOPBACK = '127.0.0.1';

/** Addresses that stand for all addresses of this machine. */
const EVERYWHERE = new Set(['0.0.0.0', '::']);

export function isEverywhere(host: string): boolean {
  return EVERYWHERE.has(host);
}

/** Returns a name or an address as URLs and the Host header have it. */
export function inUrl(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

/**
 * Parses a name or an address, as URLs have it but without brackets; undefined if it is neither. localhost has two
 * addresses on most machines; it is taken for 127.0.0.1.
 */
export function parseHost(text: string): string | undefined {
  const bare = text.replace(/^\[(.*)\]$/, '$1');
  const url = URL.canParse(`http://${inUrl(bare)}`) ? new URL(`http://${inUrl(bare)}`) : undefined;
  if (!url || url.href !== `http://${url.hostname}/`) return undefined;
  return url.hostname === 'localhost' ? LOOPBACK : url.hostname.replace(/^\[(.*)\]$/, '$1');
}
