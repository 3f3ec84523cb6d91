import { isIP } from 'node:net';

/**
 * Who calls, for limits to count by: an IPv4 address, or the first half of an IPv6 one, since the other half is
 * for the caller to choose.
 *
 * @param remoteAddress the other end of the connection
 * @param forwardedFor the header X-Forwarded-For. It is believed only of a proxy on this machine, and only its
 *   last entry, which is the one that the proxy itself has written: anybody can write the others.
 */
export function callerOf(remoteAddress = '', forwardedFor?: string | string[]): string {
  const address = unmapped(remoteAddress);
  const forwarded = unmapped(String(forwardedFor).split(',').at(-1)?.trim() ?? '');
  return networkOf(isLoopback(address) && isIP(forwarded) ? forwarded : address);
}

function isLoopback(address: string): boolean {
  return address === '::1' || /^127\./.test(address);
}

/** An IPv4 address as such, where a server that listens to both kinds has put it into an IPv6 one. */
function unmapped(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '');
}

function networkOf(address: string): string {
  if (isIP(address) !== 6) return address;
  const [head = [], tail = []] = address.split('::').map((half) => half.split(':').filter(Boolean));
  const zeros = Array<string>(Math.max(0, 8 - head.length - tail.length)).fill('0');
  return [...head, ...zeros, ...tail].slice(0, 4).join(':');
}
