/** What becomes of the last test message of a session, as pure functions. */
import type { AckStatus, WireAck } from '../wire.ts';

/** A test message that the server has accepted, and what is known of it since. */
export interface LastMessage {
  readonly id: string;
  readonly status: 'accepted' | AckStatus;
  /** Why it failed, in the operator's words. */
  readonly error?: string | undefined;
  /** When that became known, in milliseconds since 1970, by the browser's clock. */
  readonly at: number;
}

export type Ack = Readonly<Pick<WireAck, 'id' | 'status'>> & Pick<LastMessage, 'error'>;

/** Each comes after those before. One that failed may be delivered after all, but not the other way round. */
const ORDER: readonly LastMessage['status'][] = ['accepted', 'server', 'failed', 'device', 'read'];

/** Returns the message after an ack: the same object where that is of another message, or older. */
export function afterAck(message: LastMessage, { id, status, error }: Ack, at: number): LastMessage {
  if (id !== message.id || ORDER.indexOf(status) <= ORDER.indexOf(message.status)) return message;
  return { id, status, ...(error && { error }), at };
}
