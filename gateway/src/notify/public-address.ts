import { lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

/** A webhook leads to an address that the internet cannot reach, such as that of a cloud's metadata. */
export class PrivateAddressError extends Error {
  override readonly name = 'PrivateAddressError';
  readonly code = 'PRIVATE_ADDRESS';
}

/** Throws a {@link PrivateAddressError} if the host of a URL is an address that the internet cannot reach. */
export function checkAddress(hostname: string): void {
  // No name is looked up for an address.
  const address = hostname.replace(/^\[(.*)\]$/, '$1');
  if (address === 'localhost' || (isIP(address) !== 0 && !isPublic(address)))
    throw new PrivateAddressError(address);
}

/**
 * Resolves a name for one connection, which then goes to the addresses that were checked here: a second answer of DNS
 * changes nothing.
 */
export const publicLookup: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return callback(error, []);
    const usable = addresses.filter(({ address }) => isPublic(address));
    const [first] = usable;
    if (!first) return callback(new PrivateAddressError(hostname), []);
    if (options.all) callback(null, usable);
    else callback(null, first.address, first.family);
  });
};

/** Of each virtual machine's host on Azure: https://learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16. */
const AZURE_HOST = '168.63.129.16';

/** The addresses of IPv6 that are assigned: https://www.iana.org/assignments/ipv6-address-space. */
const ASSIGNED = ipaddr.IPv6.parseCIDR('2000::/3');

/** Whether an address belongs to no special range (https://www.iana.org/assignments/iana-ipv4-special-registry, and that of IPv6). */
function isPublic(address: string): boolean {
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv6 && !parsed.match(ASSIGNED)) return false;
  return parsed.range() === 'unicast' && parsed.toString() !== AZURE_HOST;
}
