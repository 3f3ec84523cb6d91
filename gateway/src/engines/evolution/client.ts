import { io, type ManagerOptions, NodeWebSocket, type Socket } from 'socket.io-client';
import * as parser from 'socket.io-parser';
import { type Static, type TSchema, Type } from 'typebox';
import { Value } from 'typebox/value';
import type { WebSocket } from 'ws';
import { RemoteError } from '../remote/errors.ts';
import { JsonClient, Nullish } from '../remote/json-client.ts';
import { CODE, excessIn, LONGEST, LONGEST_NAME } from '../remote/limits.ts';
import { answerPings } from '../remote/pings.ts';
import type { Feed } from '../remote/server.ts';

/** The name for operators. */
export const TITLE = 'Evolution API';

/** Wait before the feed reconnects, in milliseconds: codes of that time are lost. */
const AGAIN = 3_000;

const Instance = Type.Object({
  name: Type.String(),
  connectionStatus: Type.String(),
  ownerJid: Nullish(Type.String()),
  profileName: Nullish(Type.String()),
  number: Nullish(Type.String()),
});

/** The name of an instance, or a word for its state, in an event. */
const Word = Type.String({ maxLength: LONGEST_NAME });
const withData = <T extends TSchema>(data: T) => Type.Object({ instance: Word, data });

const OfInstance = Type.Object({ instance: Word });

/** The events that count. */
const EVENTS = {
  /** A code, or why there are no more. */
  'qrcode.updated': withData(
    Type.Object({
      qrcode: Type.Optional(Type.Object({ code: CODE.scan })),
      statusCode: Type.Optional(Type.Integer()),
    }),
  ),
  'connection.update': withData(
    Type.Object({
      state: Word,
      statusReason: Nullish(Type.Integer()),
      wuid: Nullish(Type.String()),
      profileName: Nullish(Type.String()),
    }),
  ),
  /** The end of a connection. */
  'status.instance': withData(
    Type.Object({ status: Word, disconnectionReasonCode: Nullish(Type.Integer()) }),
  ),
  'messages.update': withData(Type.Object({ keyId: Word, status: Word })),
  'instance.create': OfInstance,
  'logout.instance': OfInstance,
  'remove.instance': OfInstance,
};

/** Skips packets that would take seconds to parse: anybody can send a message that causes one. */
class Decoder extends parser.Decoder {
  override add(packet: unknown): void {
    if (typeof packet !== 'string' || excessIn(packet) === undefined) super.add(packet);
  }
}

class BoundedSocket extends NodeWebSocket {
  override createSocket(
    uri: string,
    protocols: string | string[] | undefined,
    options: Readonly<Record<string, unknown>>,
  ): WebSocket {
    const bounds = { maxPayload: LONGEST.event, autoPong: false };
    const socket: WebSocket = super.createSocket(uri, protocols, { ...options, ...bounds });
    answerPings(socket);
    return socket;
  }
}

/** The options that limit what Socket.IO accepts. */
const BOUNDED: Pick<ManagerOptions, 'transports' | 'parser'> = {
  transports: [BoundedSocket],
  parser: { ...parser, Decoder },
};

/** Evolution API's HTTP API and its events (https://doc.evolution-api.com/v2). */
export class EvolutionClient {
  readonly #http: JsonClient;
  readonly #socket: Socket;
  #again: ReturnType<typeof setTimeout> | undefined;

  constructor(url: string, key: string) {
    this.#http = new JsonClient({ title: TITLE, url, headers: { apikey: key } });
    const { origin, pathname } = new URL(url);
    this.#socket = io(origin, {
      path: `${pathname}socket.io`,
      query: { apikey: key },
      ...BOUNDED,
      reconnectionDelayMax: AGAIN,
      autoConnect: false,
      // Another socket to the same server must not share the connection.
      forceNew: true,
    });
  }

  /** Calls `handle` with each event of this kind. */
  on<Event extends keyof typeof EVENTS>(
    event: Event,
    handle: (payload: Static<(typeof EVENTS)[Event]>) => void,
  ): void {
    this.#socket.on<string>(event, (payload: unknown) => {
      if (Value.Check(EVENTS[event], payload)) handle(payload);
    });
  }

  /** Resolves when the feed is open, or the first attempt has failed. */
  open({ opened, closed }: Pick<Feed, 'opened' | 'closed'>): Promise<void> {
    const socket = this.#socket;
    // After these, Socket.IO does not reconnect by itself.
    const comeBack = () => {
      if (!socket.active) this.#again = setTimeout(() => socket.connect(), AGAIN);
    };
    socket.on('connect', opened);
    socket.on('disconnect', () => {
      closed();
      comeBack();
    });
    socket.on('connect_error', comeBack);
    socket.connect();
    return new Promise((resolve) => {
      socket.once('connect', resolve);
      socket.once('connect_error', () => resolve());
    });
  }

  close(): void {
    clearTimeout(this.#again);
    this.#socket.off('disconnect').disconnect();
    void this.#http.close();
  }

  version() {
    return this.#http.call({ path: '', answer: Type.Object({ version: Type.String() }) });
  }

  instances() {
    return this.#http.call({ path: 'instance/fetchInstances', answer: Type.Array(Instance), isList: true });
  }

  /** The state of the connection now; undefined if there is no such instance. */
  async state(name: string): Promise<string | undefined> {
    const answer = Type.Object({ instance: Type.Object({ state: Nullish(Type.String()) }) });
    const found = await this.#http.call({
      path: at('connectionState', name),
      answer,
      or: { 404: undefined },
    });
    // A stored instance that is not loaded has no state.
    return found && (found.instance.state ?? 'close');
  }

  /** Creates an instance, closed: with a code, that takes 5 s. One that has the name stays as it is. */
  async create(instanceName: string): Promise<void> {
    const body = { instanceName, integration: 'WHATSAPP-BAILEYS', qrcode: false };
    await this.#done({ method: 'POST', path: 'instance/create', body, or: { 403: true } });
  }

  /**
   * Connects an instance that is closed. Resolves with the codes of one that is connecting: the code to scan, which may
   * have been scanned already, and the code to type, if it was connected with a number.
   *
   * @param number the phone's, in digits, if it is to get codes to type
   */
  async connect(name: string, number?: string): Promise<{ code?: string; pairingCode?: string }> {
    const answer = Type.Object({
      code: Nullish(Type.Union([Type.Literal(''), CODE.scan])),
      pairingCode: Nullish(CODE.type),
      error: Type.Optional(Type.Unknown()),
    });
    const query = number === undefined ? '' : `?${new URLSearchParams({ number })}`;
    const { code, pairingCode, error } = await this.#http.call({
      path: `${at('connect', name)}${query}`,
      answer,
    });
    if (error === true) throw new RemoteError('refused', TITLE, 'error');
    return { ...(code && { code }), ...(pairingCode && { pairingCode }) };
  }

  /** Resolves with false if the instance is closed. */
  async restart(name: string): Promise<boolean> {
    const answer = Type.Object({ error: Type.Optional(Type.Unknown()) });
    const { error } = await this.#http.call({ method: 'POST', path: at('restart', name), answer });
    return error !== true;
  }

  /** Resolves with false if the instance is closed. */
  logout(name: string): Promise<boolean> {
    return this.#done({ method: 'DELETE', path: at('logout', name), or: { 400: false } });
  }

  /** Resolves with false if the instance has to be logged out first. */
  remove(name: string): Promise<boolean> {
    return this.#done({ method: 'DELETE', path: at('delete', name), or: { 400: false, 404: true } });
  }

  /** Resolves with the address of a number; undefined if it does not use WhatsApp. */
  async addressOf(name: string, number: string): Promise<string | undefined> {
    const answer = Type.Array(Type.Object({ jid: Type.String(), exists: Type.Boolean() }));
    const path = `chat/whatsappNumbers/${encodeURIComponent(name)}`;
    const [first] = await this.#http.call({ method: 'POST', path, body: { numbers: [number] }, answer });
    return first?.exists ? first.jid : undefined;
  }

  /** Asks WhatsApp for the business profile of a number, whether or not it has one. */
  async profile(name: string, number: string): Promise<void> {
    await this.#done({
      method: 'POST',
      path: `chat/fetchBusinessProfile/${encodeURIComponent(name)}`,
      body: { number },
    });
  }

  /** Resolves with the id of the message; false if it was rejected. */
  async send(name: string, number: string, text: string): Promise<string | false> {
    const answer = Type.Object({ key: Type.Object({ id: Type.String() }) });
    const path = `message/sendText/${encodeURIComponent(name)}`;
    const sent = await this.#http.call({
      method: 'POST',
      path,
      body: { number, text },
      answer,
      or: { 400: false },
    });
    return sent === false ? false : sent.key.id;
  }

  async #done(call: {
    method?: 'POST' | 'DELETE';
    path: string;
    body?: object;
    or?: Record<string, boolean>;
  }): Promise<boolean> {
    const answer = await this.#http.call({ ...call, answer: Type.Unknown() });
    // Some of its failures have the status 200.
    if (Object(answer).error === true) throw new RemoteError('refused', TITLE, 'error');
    return answer !== false;
  }
}

const at = (action: string, name: string) => `instance/${action}/${encodeURIComponent(name)}`;
