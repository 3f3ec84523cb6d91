import { createHash } from 'node:crypto';
import { ProxyError } from '../../proxy/failure.ts';
import type { ProxyServer } from '../../proxy/proxy.ts';

/**
 * Returns the address that the other side sees through a simulated proxy: one for documentation (RFC 5737). Throws a
 * {@link ProxyError} for a host that cannot exist, such as `proxy.invalid` (RFC 2606).
 */
export function simulatedExit({ url, name }: ProxyServer): string {
  if (/(?:^|\.)invalid$/.test(url.hostname)) throw new ProxyError('unreachable', name);
  const [byte = 0] = createHash('sha256').update(name).digest();
  return `203.0.113.${byte}`;
}
