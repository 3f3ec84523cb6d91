import { randomUUID } from 'node:crypto';
import type { AckStatus, WireDetails, WireListItem, WireNaming, WirePairing } from '../../../src/wire.ts';
import { parseProxy } from '../proxy/proxy.ts';
import { detailsOf } from './details.ts';
import type { Engine, PasskeyStep } from './engine.ts';
import type { EngineObserver } from './engine-news.ts';
import { type FailedContact, NoPasskeyStep, NotPairable, SendFailure, SessionRefused } from './errors.ts';
import type { Listing } from './listing.ts';
import type { SessionRecord } from './record.ts';
import type { Push } from './transitions.ts';

/*
 * What sessions ask of their engine to link a phone. Each rejects with a `SessionRefused` where the engine's own error
 * says that the session is in the wrong state.
 */

/**
 * Returns a code to type. It does not wait for other requests: one from a link's page would hold up starts and deletions
 * while WhatsApp is silent.
 */
export async function requestCode(engine: Engine, numero: string): Promise<WirePairing> {
  try {
    return await engine.pair(numero);
  } catch (error) {
    if (!(error instanceof NotPairable)) throw error;
    throw new SessionRefused(error.reason === 'not-waiting' ? 'not-pairable' : 'no-pairing-code', numero);
  }
}

/** Requests something at a step of the passkey. */
export async function atStep<T>(
  step: PasskeyStep['step'],
  { numero, shown }: { readonly numero: string; readonly shown: Listing['shown'] },
  request: (() => Promise<T>) | undefined,
): Promise<T> {
  const refusal = new SessionRefused('no-passkey-step', numero);
  if (shown?.passkey?.step !== step || !request) throw refusal;
  return request().catch((error: unknown) => {
    throw error instanceof NoPasskeyStep ? refusal : error;
  });
}

/**
 * Sends a text to each number, and returns an id for the acks that are pushed. Tries all of them; rejects with a
 * `SendFailure` that names those that failed.
 */
export async function sendToAll(
  { engine, observe }: { readonly engine: Engine; readonly observe: EngineObserver },
  numero: string,
  contacts: readonly number[],
  text: string,
  push: (push: Push) => void,
): Promise<string> {
  const id = randomUUID();
  const failed: FailedContact[] = [];
  for (const contacto of contacts) {
    const acked = (status: AckStatus) => {
      const reason = status === 'failed' ? { reason: 'WhatsApp lo rechazó.' } : {};
      push({ event: 'ack', numero, ack: { id, remitente: numero, contacto, status, ...reason } });
    };
    const contact = String(contacto);
    const begun = performance.now();
    const delivery = await engine.send(numero, contact, text, acked);
    observe(numero, { type: 'message', delivery, milliseconds: performance.now() - begun });
    if (delivery === 'sent') acked('server');
    else failed.push({ contact, reason: delivery });
  }
  if (failed.length > 0) throw new SendFailure(failed);
  return id;
}

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
