import type { ServerConnection } from '../../whatsapp/fake/connection.ts';
import type { Random } from '../random.ts';

/** Something that WhatsApp would not send. */
export interface OddFrame {
  readonly name: string;
  /** It announces more than it brings: the client waits for the rest, until it takes the line for lost. */
  readonly unfinished?: true;
  send(connection: ServerConnection, random: Random): void;
}
