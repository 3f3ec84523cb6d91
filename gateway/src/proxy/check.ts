import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { ask, type RequestOptions } from './ask.ts';
import { failureOf, ProxyError } from './failure.ts';
import type { ProxyServer } from './proxy.ts';
import { routeThrough } from './route.ts';

/** What a proxy is tested with. */
export interface ProxyChecks {
  /** WhatsApp's server, as `wss://…`. */
  readonly whatsapp: string;
  /** A page that answers with the address of whoever asks, as text. */
  readonly page: string;
  /** How long each of them may take, in milliseconds. */
  readonly timeout: number;
}

/** The page of Amazon that answers with the caller's address: https://checkip.amazonaws.com. */
export const CHECK_PAGE = 'https://checkip.amazonaws.com/';

/** Longest answer of the page that is read, in bytes. */
const LONGEST = 1_000;

/**
 * Tests whether WhatsApp answers through a proxy. Resolves with the address that the other side sees; undefined if the
 * page does not tell. Rejects with a {@link ProxyError}, also if what answers in place of the page has no valid
 * certificate: then the proxy reads along.
 */
export async function testProxy(
  proxy: ProxyServer,
  { whatsapp, page, timeout }: ProxyChecks,
): Promise<string | undefined> {
  await bodyThrough(proxy, whatsapp.replace(/^ws/, 'http'), { method: 'HEAD', timeout });
  return exitOf(proxy, { page, timeout });
}

/**
 * Asks for the address that the other side sees through a proxy; undefined if the page does not tell. Rejects with a
 * {@link ProxyError} if what answers in its place has no valid certificate.
 */
export async function exitOf(
  proxy: ProxyServer,
  { page, timeout }: Pick<ProxyChecks, 'page' | 'timeout'>,
): Promise<string | undefined> {
  try {
    const answer = await bodyThrough(proxy, page, { method: 'GET', timeout });
    const [address = ''] = answer.trim().split(/\s/);
    return isIP(address) > 0 ? address : undefined;
  } catch (error) {
    if (error instanceof ProxyError && error.failure !== 'certificate') return undefined;
    throw error;
  }
}

async function bodyThrough(
  proxy: ProxyServer,
  url: string,
  options: Pick<RequestOptions, 'method' | 'timeout'>,
): Promise<string> {
  const route = routeThrough(proxy);
  try {
    return await ask(new URL(url), { ...options, agent: route.agent }, bodyOf);
  } catch (error) {
    throw new ProxyError(route.refusal ?? failureOf(error), proxy.name);
  } finally {
    route.close();
  }
}

async function bodyOf(answer: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of answer.setEncoding('latin1')) {
    text += chunk;
    if (text.length > LONGEST) break;
  }
  return text;
}
