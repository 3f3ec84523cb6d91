import type { proto } from '@whiskeysockets/baileys';
import type { Ack } from '../../sessions/engine.ts';
import type { Library } from './library.ts';

/** Returns what a status of the library says of a message; undefined if that is nothing new. */
export function ackOf(
  status: proto.WebMessageInfo.Status | null | undefined,
  library: Library,
): Ack | undefined {
  const { Status } = library.proto.WebMessageInfo;
  switch (status) {
    case Status.ERROR:
      return 'failed';
    case Status.DELIVERY_ACK:
      return 'device';
    case Status.READ:
    case Status.PLAYED:
      return 'read';
    default:
      return undefined;
  }
}
