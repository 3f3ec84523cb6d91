import { parseProxy } from '../proxy/proxy.ts';
import type { Engine } from './engine.ts';
import { SessionRefused } from './errors.ts';
import type { Listing } from './listing.ts';
import type { SessionRecord } from './record.ts';

/** The parts of a session that its proxy concerns. */
interface Parts {
  readonly numero: string;
  readonly engine: Engine;
  readonly record: Pick<SessionRecord, 'details' | 'setProxy'>;
  readonly listing: Pick<Listing, 'detail'>;
}

/**
 * Has a session connect through another proxy, once it was tested. Rejects with a `ProxyError` if it does not work, with
 * a `StoreError`, and with `no-proxies`: then nothing has changed.
 *
 * @param proxy a valid URL; an empty text removes the session's own
 * @param by the user who changes it
 */
export async function setProxy(
  { numero, engine, record, listing }: Parts,
  proxy: string,
  by: string | undefined,
): Promise<void> {
  if (!engine.testProxy) throw new SessionRefused('no-proxies', numero);
  const parsed = parseProxy(proxy);
  const exit = parsed && (await engine.testProxy(parsed));
  await record.setProxy(parsed, by);
  listing.detail({ proxy: record.details.proxy, exit });
  engine.reroute?.(numero);
}
