import { randomBytes } from 'node:crypto';
import type { AuthenticationCreds, BinaryNode, WASocket } from '@whiskeysockets/baileys';
import { acknowledge, type Library } from './library.ts';

/** WhatsApp's request to replace the secret, and the children of which WhatsApp Web requires one. */
const REFRESH = 'CB:notification,type:companion_reg_refresh';
const CHILDREN = ['companion_reg_refresh', 'pair-device-rotate-qr'];

/**
 * The secret of a device that is being linked. A code to scan carries it to the phone; with a code to type, both derive
 * it. The account that the phone then gives the device is authenticated with it.
 */
export class AdvSecret {
  readonly #creds: AuthenticationCreds;
  /** The last one that was not derived with a phone. */
  #random: string;
  /** The one that a passkey's linking goes on with. */
  #secretOfPasskey: string | undefined;
  #code: string | undefined;

  constructor(creds: AuthenticationCreds) {
    this.#creds = creds;
    this.#random = creds.advSecretKey;
  }

  /** Returns a new code to scan with the secret as it is: the library draws it with the one that it began with. */
  draw(code: string): string {
    const fields = code.split(',');
    fields.splice(-2, 1, this.#creds.advSecretKey);
    this.#code = fields.join(',');
    return this.#code;
  }

  /**
   * Replaces the secret, and returns the code to scan with the new one. Does neither once a phone needs the present one:
   * it is linked, has answered a code to type, or gets it after a passkey.
   */
  replace(): string | undefined {
    const { account, advSecretKey } = this.#creds;
    if (account || advSecretKey !== this.#random) return undefined;
    this.#random = randomBytes(32).toString('base64');
    this.#creds.advSecretKey = this.#random;
    return this.#code && this.draw(this.#code);
  }

  /**
   * Replaces the secret by one that the phone gets after its account's passkey, and returns the one that it knows. Does
   * neither where that was done.
   */
  handOver(): string | undefined {
    const { advSecretKey } = this.#creds;
    if (advSecretKey === this.#secretOfPasskey) return undefined;
    this.#secretOfPasskey = randomBytes(32).toString('base64');
    this.#creds.advSecretKey = this.#secretOfPasskey;
    return advSecretKey;
  }

  /** Replaces the secret whenever WhatsApp requests it. @param redrawn called with the code to scan, if there is one */
  listen(socket: WASocket, library: Library, redrawn: (code: string) => void): void {
    socket.ws.on(REFRESH, (node: BinaryNode) => {
      if (!CHILDREN.some((tag) => library.getBinaryNodeChild(node, tag))) return;
      const code = this.replace();
      if (code !== undefined) redrawn(code);
      acknowledge(socket, library, node);
    });
  }
}
