import { isIP } from 'node:net';
import proxyAddr from '@fastify/proxy-addr';
import ipaddr from 'ipaddr.js';

/** Prefix length that identifies an IPv6 customer, who can choose the rest of the address. */
const PREFIX = 64;

/**
 * Returns what the rate limits count by: an IPv4 address, or an IPv6 network.
 *
 * @param ip the client's address, possibly as named by a trusted proxy; everything that is no address counts as one
 *   client
 */
export function clientAddress(ip: string | undefined): string {
  if (ip === undefined || !ipaddr.isValid(ip)) return 'unknown';
  // On a dual-stack server, an IPv4 client has an IPv4-mapped IPv6 address.
  const address = ipaddr.process(ip);
  if (address instanceof ipaddr.IPv4) return address.toString();
  return ipaddr.IPv6.networkAddressFromCIDR(`${ip}/${PREFIX}`).toString();
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
