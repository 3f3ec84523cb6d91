import { isIP } from 'node:net';
import proxyAddr from '@fastify/proxy-addr';
import { normalizeIP } from '@fastify/rate-limit';

/**
 * Returns the key of the limits: an IPv4 address, or the /64 network of an IPv6 address, whose customer can choose the
 * rest.
 *
 * @param ip the client's address, possibly as named by a trusted proxy; all invalid addresses count as one client
 */
export function clientAddress(ip: string | undefined): string {
  return ip === undefined || isIP(ip) === 0 ? 'unknown' : normalizeIP(ip);
}

/** Whether fastify's option `trustProxy` accepts this entry. */
export function isTrustable(proxy: string): boolean {
  const [address = ''] = proxy.split('/');
  // proxy-addr reads 10.1 as 10.0.0.1.
  if (!isIP(address) && !/^[a-z]+$/.test(proxy)) return false;
  try {
    proxyAddr.compile(proxy);
    return true;
  } catch {
    return false;
  }
}

/** The address that only this machine can reach, where a gateway without a token listens. */
export const LOOPBACK = '127.0.0.1';

/** Whether an address stands for all addresses of this machine. */
export function isEverywhere(host: string): boolean {
  return host === '0.0.0.0' || host === '::';
}

/** Returns a name or an address as URLs and the Host header have it. */
export function inUrl(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

/**
 * Parses a name or an address, as URLs have it but without brackets; undefined if it is neither. localhost has two
 * addresses on most machines; it counts as 127.0.0.1.
 */
export function parseHost(text: string): string | undefined {
  const bare = text.replace(/^\[(.*)\]$/, '$1');
  const url = URL.canParse(`http://${inUrl(bare)}`) ? new URL(`http://${inUrl(bare)}`) : undefined;
  if (!url || url.href !== `http://${url.hostname}/`) return undefined;
  return url.hostname === 'localhost' ? LOOPBACK : url.hostname.replace(/^\[(.*)\]$/, '$1');
}
