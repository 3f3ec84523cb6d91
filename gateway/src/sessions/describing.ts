import type { WireDetails, WireListItem, WireNaming } from '../../../src/wire.ts';
import { parseProxy } from '../proxy/proxy.ts';
import { detailsOf } from './details.ts';
import type { Engine } from './engine.ts';
import { SessionRefused } from './errors.ts';
import type { Listing } from './listing.ts';
import type { SessionRecord } from './record.ts';

/** The parts of a session that its names and its proxy concern. */
interface Parts {
  readonly numero: string;
  readonly engine: Engine;
  readonly record: Pick<SessionRecord, 'describe' | 'details' | 'setProxy'>;
  readonly listing: Pick<Listing, 'detail' | 'forms' | 'shown'>;
}

/**
 * Changes the operators' names of a session, and has it connect through another proxy; see `Registry.describe`. The proxy
 * is tested before anything changes, and stored last: a database may refuse a name, but no address.
 *
 * @param naming valid names and a valid URL; an empty one removes the session's own proxy
 */
export async function describe(
  { numero, engine, record, listing }: Parts,
  { proxy, ...names }: WireNaming,
  by: string | undefined,
): Promise<WireDetails> {
  const listed = (): WireListItem => {
    if (!listing.shown) throw new SessionRefused('unknown', numero);
    return listing.shown;
  };
  if (proxy !== undefined && !engine.testProxy) throw new SessionRefused('no-proxies', numero);
  const parsed = proxy ? parseProxy(proxy) : undefined;
  const exit = parsed && (await engine.testProxy?.(parsed));
  listed();
  if (Object.keys(names).length > 0) await record.describe(names, () => listing.forms);
  if (proxy !== undefined) {
    await record.setProxy(parsed, by);
    listing.detail({ proxy: record.details.proxy, exit });
    engine.reroute?.(numero);
  }
  return detailsOf(listed());
}
