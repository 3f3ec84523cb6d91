import { type BinaryNode, jidEncode } from '@whiskeysockets/baileys';
import type { ServerConnection } from './connection.ts';

/** What the server stores about a linked device, connected or not. */
export class LinkedDevice {
  readonly id: number;
  readonly number: string;
  readonly jid: string;
  readonly lid: string;
  readonly clientKey: Buffer;
  /** One-time keys that it has uploaded and nobody has used. */
  preKeys: number;
  /** What others need for a first message to it: as last uploaded, with one of the one-time keys. */
  bundle: BinaryNode[] = [];
  connection: ServerConnection | undefined;

  constructor(id: number, number: string, lidUser: string, clientKey: Buffer, preKeys: number) {
    this.id = id;
    this.number = number;
    this.jid = jidEncode(number, 's.whatsapp.net', id);
    this.lid = jidEncode(lidUser, 'lid', id);
    this.clientKey = clientKey;
    this.preKeys = preKeys;
  }
}
