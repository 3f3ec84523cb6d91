import { isIP } from 'node:net';
import proxyAddr from '@fastify/proxy-addr';
import ipaddr from 'ipaddr.js';

/** What one customer gets of the IPv6 addresses: the rest of each is the customer's to choose. */
const PREFIX = 64;

/**
 * Whom the limits count by: an IPv4 address, or the network of an IPv6 one.
 *
 * @param ip the address of the client, as a proxy that is trusted may have named it; what is no address is one client
 */
export function clientAddress(ip: string | undefined): string {
  if (ip === undefined || !ipaddr.isValid(ip)) return 'unknown';
  // An IPv4 client of a server that listens to both kinds comes with an IPv6 address.
  const address = ipaddr.process(ip);
  if (address instanceof ipaddr.IPv4) return address.toString();
  return ipaddr.IPv6.networkAddressFromCIDR(`${ip}/${PREFIX}`).toString();
}

/** Whether fastify's option `trustProxy` can have this in its list. */
export function isTrustable(proxy: string): boolean {
  const [address = ''] = proxy.split('/');
  // Its own check takes 10.1 for 10.0.0.1.
  if (!isIP(address) && !/^[a-z]+$/.test(proxy)) return false;
  try {
    proxyAddr.compile(proxy);
    return true;
  } catch {
    return false;
  }
}
