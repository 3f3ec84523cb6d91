import { type BinaryNode, decodeBinaryNode, encodeBinaryNode, type proto } from '@whiskeysockets/baileys';
import type { WebSocket } from 'ws';
import { FrameReader, frame } from './frames.ts';
import { node } from './nodes.ts';
import { type ServerIdentity, ServerNoise } from './noise.ts';

export interface ConnectionHandlers {
  /** The handshake is over: who the client is, by its Noise key, and what it wants. */
  onLogin(payload: proto.ClientPayload, clientKey: Buffer): void;
  onNode(node: BinaryNode): void | Promise<void>;
  onClose(): void;
  /** Either side broke the protocol: the test must hear of it. */
  onError(error: unknown): void;
}

/** One client's line to the server. */
export class Connection {
  readonly #socket: WebSocket;
  readonly #handlers: ConnectionHandlers;
  readonly #noise: ServerNoise;
  readonly #frames = new FrameReader();
  readonly #queries = new Map<string, { resolve(answer: BinaryNode): void; reject(error: Error): void }>();
  #queue = Promise.resolve();
  #greeted = false;
  #nextId = 1;
  /** A line that is open but dead: nothing comes out of it any more. */
  silent = false;

  constructor(socket: WebSocket, identity: ServerIdentity, handlers: ConnectionHandlers) {
    this.#socket = socket;
    this.#handlers = handlers;
    this.#noise = new ServerNoise(identity);
    socket.on('error', () => {});
    socket.on('close', () => this.#onClose());
    socket.on('message', (data) => {
      // One after another: decoding a node is asynchronous, and the nonces count.
      this.#queue = this.#queue.then(() => this.#receive(data)).catch((error) => this.#fail(error));
    });
  }

  send(stanza: BinaryNode): void {
    if (this.silent || this.#socket.readyState !== this.#socket.OPEN) return;
    this.#socket.send(frame(this.#noise.encrypt(encodeBinaryNode(stanza))));
  }

  /** Sends an iq of the server's own and waits for the client's answer. */
  query(iq: BinaryNode): Promise<BinaryNode> {
    const id = `fake-${this.#nextId++}`;
    return new Promise((resolve, reject) => {
      this.#queries.set(id, { resolve, reject });
      this.send({ ...iq, attrs: { ...iq.attrs, id } });
    });
  }

  /** Ends the stream with a reason, as a server does that still speaks to the client. */
  end(reason: BinaryNode): void {
    this.send(reason);
    this.#socket.close();
  }

  /** `<stream:error>`: with a code (515 restart, 401, 500, 503, …), with a reason, or with both. */
  endWithError(code?: number, reason?: BinaryNode): void {
    this.end(node('stream:error', code === undefined ? {} : { code: String(code) }, reason && [reason]));
  }

  cut(): void {
    this.#socket.terminate();
  }

  async #receive(data: unknown): Promise<void> {
    if (!Buffer.isBuffer(data)) throw new Error('Not a binary message');
    for (const content of this.#frames.read(data)) {
      if (this.#noise.established) await this.#onNode(await decodeBinaryNode(this.#noise.decrypt(content)));
      else this.#shakeHands(content);
    }
  }

  #shakeHands(content: Buffer): void {
    if (!this.#greeted) {
      this.#greeted = true;
      this.#socket.send(frame(this.#noise.greet(content)));
      return;
    }
    const { clientKey, payload } = this.#noise.finish(content);
    this.#handlers.onLogin(payload, clientKey);
  }

  async #onNode(stanza: BinaryNode): Promise<void> {
    if (this.silent) return;
    const query = stanza.tag === 'iq' ? this.#queries.get(stanza.attrs.id ?? '') : undefined;
    if (!query) return this.#handlers.onNode(stanza);
    this.#queries.delete(stanza.attrs.id ?? '');
    query.resolve(stanza);
  }

  #onClose(): void {
    for (const { reject } of this.#queries.values()) reject(new Error('The client closed the line'));
    this.#queries.clear();
    this.#handlers.onClose();
  }

  #fail(error: unknown): void {
    this.#handlers.onError(error);
    this.cut();
  }
}
