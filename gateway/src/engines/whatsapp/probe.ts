import { once } from 'node:events';
import type { BinaryNode, WASocket } from '@whiskeysockets/baileys';

/**
 * Asks WhatsApp how many one-time keys it has of the device, as the library does at each login. Returns whether there was
 * an answer, of whatever kind. Never rejects.
 *
 * @param to JID of WhatsApp's server
 * @param timeout in milliseconds
 * @param ended aborted when the connection ends
 */
export async function probe(
  { generateMessageTag, sendNode, ws }: WASocket,
  to: string,
  timeout: number,
  ended: AbortSignal,
): Promise<boolean> {
  const id = generateMessageTag();
  const iq: BinaryNode = {
    tag: 'iq',
    attrs: { id, to, type: 'get', xmlns: 'encrypt' },
    content: [{ tag: 'count', attrs: {} }],
  };
  const over = new AbortController();
  const end = () => over.abort();
  const timer = setTimeout(end, timeout);
  ended.addEventListener('abort', end);
  try {
    // The library's own query would keep its timer after the end of the connection.
    await Promise.all([sendNode(iq), once(ws, `TAG:${id}`, { signal: over.signal })]);
    return true;
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
    ended.removeEventListener('abort', end);
    end();
  }
}
