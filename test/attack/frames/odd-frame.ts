import type { ServerConnection } from '../../../gateway/test/whatsapp/fake/connection.ts';
import type { Random } from '../random.ts';

/** Something that WhatsApp would not send. */
export interface OddFrame {
  readonly name: string;
  /** Whether it announces more than it sends: the client waits for the rest until it gives the connection up. */
  readonly unfinished?: true;
  send(connection: ServerConnection, random: Random): void;
}
