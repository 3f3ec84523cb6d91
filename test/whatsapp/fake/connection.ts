import type { Socket } from 'node:net';
import { type BinaryNode, decodeBinaryNode, encodeBinaryNode, type proto } from '@whiskeysockets/baileys';
import type { WebSocket } from 'ws';
import { FrameReader, frame } from './frames.ts';
import { node } from './nodes.ts';
import { type ServerIdentity, ServerNoise } from './noise.ts';

/**
 * Where a test can step in: the client has opened its WebSocket, has said hello, has said who it is, or has signed
 * the account that a phone gave it and waits for the restart.
 */
export type Moment = 'opened' | 'hello' | 'introduced' | 'signed';

export interface ConnectionHandlers {
  /** Whether a test goes on from here in the server's place. */
  onMoment(moment: Moment): boolean;
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
  readonly #tcp: Socket;
  readonly #handlers: ConnectionHandlers;
  readonly #noise: ServerNoise;
  readonly #frames = new FrameReader();
  readonly #queries = new Map<string, { resolve(answer: BinaryNode): void; reject(error: Error): void }>();
  #queue = Promise.resolve();
  #greeted = false;
  #nextId = 1;
  /** A line that is open but dead: nothing comes out of it any more. */
  silent = false;

  constructor(socket: WebSocket, tcp: Socket, identity: ServerIdentity, handlers: ConnectionHandlers) {
    this.#socket = socket;
    this.#tcp = tcp;
    this.#handlers = handlers;
    this.#noise = new ServerNoise(identity);
    socket.on('error', () => {});
    socket.on('close', () => this.#onClose());
    socket.on('message', (data) => {
      // One after another: decoding a node is asynchronous, and the nonces count.
      this.#queue = this.#queue.then(() => this.#receive(data)).catch((error) => this.#fail(error));
    });
  }

  get isOpen(): boolean {
    return this.#socket.readyState === this.#socket.OPEN;
  }

  send(stanza: BinaryNode): void {
    if (!this.silent) this.transmit(this.seal(encodeBinaryNode(stanza)));
  }

  /** The frame of these bytes, encrypted in its turn: the client takes it only after those sealed before it. */
  seal(content: Uint8Array): Buffer {
    return frame(this.#noise.encrypt(content));
  }

  /** Sends bytes as they are, in one message of the WebSocket. */
  transmit(bytes: Uint8Array): void {
    if (this.isOpen) this.#socket.send(bytes);
  }

  /** Sends bytes as they are, past the WebSocket. */
  write(bytes: Uint8Array): void {
    if (this.isOpen) this.#tcp.write(bytes);
  }

  /** Whether a test goes on from here in the server's place. */
  reach(moment: Moment): boolean {
    return this.#handlers.onMoment(moment);
  }

  /** Sends a stanza of the server's own and waits for the client's answer, which is an ack if it is not an iq. */
  query(stanza: BinaryNode): Promise<BinaryNode> {
    const id = `fake-${this.#nextId++}`;
    return new Promise((resolve, reject) => {
      this.#queries.set(id, { resolve, reject });
      this.send({ ...stanza, attrs: { ...stanza.attrs, id } });
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
      if (!this.reach('hello')) this.transmit(frame(this.#noise.greet(content)));
      return;
    }
    const { clientKey, payload } = this.#noise.finish(content);
    if (!this.reach('introduced')) this.#handlers.onLogin(payload, clientKey);
  }

  async #onNode(stanza: BinaryNode): Promise<void> {
    if (this.silent) return;
    const { id = '' } = stanza.attrs;
    const query = ['iq', 'ack'].includes(stanza.tag) ? this.#queries.get(id) : undefined;
    if (!query) return this.#handlers.onNode(stanza);
    this.#queries.delete(id);
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
