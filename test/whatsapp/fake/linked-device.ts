import { type BinaryNode, jidEncode } from '@whiskeysockets/baileys';
import type { Connection } from './connection.ts';

/** What the server keeps of a device that a phone has linked, whether or not it is connected. */
export class LinkedDevice {
  readonly id: number;
  readonly number: string;
  readonly jid: string;
  readonly lid: string;
  readonly clientKey: Buffer;
  /** One-time keys that it has uploaded and nobody has taken. */
  preKeys: number;
  /** What others need to write to it for the first time: as it was last uploaded, with one of the one-time keys. */
  bundle: BinaryNode[] = [];
  /** How often it has logged in. */
  logins = 0;
  connection: Connection | undefined;

  constructor(id: number, number: string, lidUser: string, clientKey: Buffer, preKeys: number) {
    this.id = id;
    this.number = number;
    this.jid = jidEncode(number, 's.whatsapp.net', id);
    this.lid = jidEncode(lidUser, 'lid', id);
    this.clientKey = clientKey;
    this.preKeys = preKeys;
  }
}
