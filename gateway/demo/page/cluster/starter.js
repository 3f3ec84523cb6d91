import { texts } from './texts.js';

/**
 * @typedef {import('../../cluster.ts').View & { here: string | null }} View
 */

/**
 * Follows the gateways and their numbers.
 *
 * @param {{ changed: (view: View) => void, lost: () => void }} listener
 */
export function follow({ changed, lost }) {
  const source = new EventSource('demo/events');
  source.addEventListener('message', ({ data }) => changed(JSON.parse(data)));
  source.addEventListener('error', lost);
}

/** Asks for an action, such as `servers/Servidor 1/kill`; rejects with a sentence. */
export async function ask(path) {
  let response;
  try {
    response = await fetch(`demo/${path.split('/').map(encodeURIComponent).join('/')}`, { method: 'POST' });
  } catch {
    throw new Error(texts.lost);
  }
  if (response.ok) return;
  const { message } = await response.json().catch(() => ({}));
  throw new Error(message ?? texts.failed);
}
