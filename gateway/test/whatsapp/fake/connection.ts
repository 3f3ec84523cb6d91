import type { Socket } from 'node:net';
import { type BinaryNode, decodeBinaryNode, encodeBinaryNode, type proto } from '@whiskeysockets/baileys';
import type { WebSocket } from 'ws';
import { FrameReader, frame } from './frames.ts';
import { node } from './nodes.ts';
import { type ServerIdentity, ServerNoise } from './noise.ts';

/**
 * Where a test can intervene: the client has opened its WebSocket, has said hello, has identified itself, or has signed
 * the account that a phone gave it and waits for the restart.
 */
export type Moment = 'opened' | 'hello' | 'introduced' | 'signed';

interface ServerConnectionHandlers {
  /** Returns true if a test takes over from here. */
  onMoment(moment: Moment): boolean;
  /** Called after the handshake with the client's payload and its Noise key. */
  onLogin(payload: proto.ClientPayload, clientKey: Buffer): void;
  onNode(node: BinaryNode): void | Promise<void>;
  onClose(): void;
  /** Called when either side broke the protocol; the test must fail. */
  onError(error: unknown): void;
}

/** The server's side of one client's connection. */
export class ServerConnection {
  readonly #socket: WebSocket;
  readonly #tcp: Socket;
  readonly #handlers: ServerConnectionHandlers;
  readonly #noise: ServerNoise;
  readonly #frames = new FrameReader();
  readonly #queries = new Map<string, { resolve(answer: BinaryNode): void; reject(error: Error): void }>();
  #queue = Promise.resolve();
  #greeted = false;
  #nextId = 1;
  /** Simulates a connection that is open but dead: the server sends nothing more. */
  silent = false;
  /** Simulates a session that is dead while its connection is not: the server only answers keep-alives. */
  zombie = false;

  constructor(socket: WebSocket, tcp: Socket, identity: ServerIdentity, handlers: ServerConnectionHandlers) {
    this.#socket = socket;
    this.#tcp = tcp;
    this.#handlers = handlers;
    this.#noise = new ServerNoise(identity);
    socket.on('error', () => {});
    socket.on('close', () => this.#onClose());
    socket.on('message', (data) => {
      // One after the other: decoding a node is asynchronous, and the nonces are a counter.
      this.#queue = this.#queue.then(() => this.#receive(data)).catch((error) => this.#fail(error));
    });
  }

  get isOpen(): boolean {
    return this.#socket.readyState === this.#socket.OPEN;
  }

  send(stanza: BinaryNode): void {
    const isKeepAlive = stanza.tag === 'iq' && stanza.content === undefined;
    if (this.silent || (this.zombie && !isKeepAlive)) return;
    this.transmit(this.seal(encodeBinaryNode(stanza)));
  }

  /** Encrypts a frame. The client accepts frames only in the order in which they were sealed. */
  seal(content: Uint8Array): Buffer {
    return frame(this.#noise.encrypt(content));
  }

  /** Sends raw bytes in one WebSocket message. */
  transmit(bytes: Uint8Array): void {
    if (this.isOpen) this.#socket.send(bytes);
  }

  /** Sends raw bytes, bypassing the WebSocket. */
  write(bytes: Uint8Array): void {
    if (this.isOpen) this.#tcp.write(bytes);
  }

  /** Returns true if a test takes over from here. */
  reach(moment: Moment): boolean {
    return this.#handlers.onMoment(moment);
  }

  /** Sends a stanza and resolves with the client's answer, which is an ack unless the stanza is an iq. */
  query(stanza: BinaryNode): Promise<BinaryNode> {
    const id = `fake-${this.#nextId++}`;
    return new Promise((resolve, reject) => {
      this.#queries.set(id, { resolve, reject });
      this.send({ ...stanza, attrs: { ...stanza.attrs, id } });
    });
  }

  /** Ends the stream with a reason, as a server does that can still send. */
  end(reason: BinaryNode): void {
    this.send(reason);
    this.#socket.close();
  }

  /** Sends `<stream:error>`: with a code (515 restart, 401, 500, 503, …), a reason, or both. */
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
    if (this.silent || (this.zombie && stanza.attrs.xmlns !== 'w:p')) return;
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
