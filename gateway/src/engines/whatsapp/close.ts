import { readField } from '../../../../src/server/fields.ts';
import type { ProxyError } from '../../proxy/failure.ts';

/** How a connection ended. */
export interface Close {
  /** The library's status code, one of its `DisconnectReason`, or the code of WhatsApp's own; 0 where there is none. */
  readonly code: number;
  /** Whether WhatsApp's server was reached at all. */
  readonly reached: boolean;
  /** Whether WhatsApp has sent the code; the library has codes for what it notices itself too. */
  readonly sent?: true;
  /** Whether WhatsApp says that the device was removed from its account. */
  readonly removed?: true;
  /** How long WhatsApp bans the account, in milliseconds, if it says so. */
  readonly ban?: number;
  /** Why a proxy has not brought it to WhatsApp. */
  readonly proxy?: Pick<ProxyError, 'proxy' | 'failure'>;
}

/**
 * Reads the error with which the library reports the end of a connection: a Boom with the status code, and with the
 * attributes of WhatsApp's `<failure>` or the node within its `<stream:error>`.
 */
export function closeOf(error: Error | undefined, reached: boolean): Close {
  const data = readField(error, 'data');
  // Without a code, the library treats every conflict as that of two connections.
  if (readField(readField(data, 'attrs'), 'type') === 'device_removed') {
    return { code: 401, reached, sent: true, removed: true };
  }
  const code = readField(readField(error, 'output'), 'statusCode');
  const seconds = Number(readField(data, 'expire'));
  return {
    code: typeof code === 'number' ? code : 0,
    reached,
    // The library adds what WhatsApp has sent, or the error of the WebSocket.
    ...(typeof data === 'object' && data !== null && !(data instanceof Error) && { sent: true }),
    ...(seconds > 0 && { ban: seconds * 1000 }),
  };
}
