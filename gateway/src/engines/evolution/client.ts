import { io, type Socket } from 'socket.io-client';
import { type Static, type TSchema, Type } from 'typebox';
import { Value } from 'typebox/value';
import { RemoteError } from '../remote/errors.ts';
import { JsonClient, Nullish } from '../remote/json-client.ts';
import { FLOOD_PAUSE, LONGEST_NAME } from '../remote/limits.ts';
import { boundedSocket } from './bounded-socket.ts';

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

const Code = withData(
  Type.Object({
    qrcode: Type.Optional(Type.Object({ code: Type.String({ minLength: 1 }) })),
    statusCode: Type.Optional(Type.Integer()),
  }),
);
const Connection = withData(
  Type.Object({
    state: Word,
    statusReason: Nullish(Type.Integer()),
    wuid: Nullish(Type.String()),
    profileName: Nullish(Type.String()),
  }),
);
const InstanceStatus = withData(
  Type.Object({ status: Word, disconnectionReasonCode: Nullish(Type.Integer()) }),
);
const OfInstance = Type.Object({ instance: Word });
const MessageUpdate = withData(Type.Object({ keyId: Word, status: Word }));

export interface Handlers {
  opened(): void;
  closed(isFlooded: boolean): void;
  /** @param code undefined when there are no more */
  code(instance: string, code: string | undefined): void;
  connection(instance: string, data: Static<typeof Connection>['data']): void;
  ended(instance: string, status: string, reason: number | undefined): void;
  message(instance: string, id: string, status: string): void;
  /** An instance was added or logged out. */
  changed(): void;
  removed(instance: string): void;
}

/** Evolution API's HTTP API and its events (https://doc.evolution-api.com/v2). */
export class EvolutionClient {
  readonly #http: JsonClient;
  readonly #url: URL;
  readonly #key: string;
  #socket: Socket | undefined;
  #again: ReturnType<typeof setTimeout> | undefined;

  constructor(url: string, key: string) {
    this.#url = new URL(url);
    this.#key = key;
    this.#http = new JsonClient({ title: TITLE, url, headers: { apikey: key } });
  }

  /** Resolves when the feed is open, or the first attempt has failed. */
  listen(handlers: Handlers): Promise<void> {
    const socket = io(this.#url.origin, {
      path: `${this.#url.pathname}socket.io`,
      query: { apikey: this.#key },
      ...boundedSocket(() => flood()),
      reconnectionDelayMax: AGAIN,
      // Another socket to the same server must not share the connection.
      forceNew: true,
    });
    this.#socket = socket;
    socket.on('connect', handlers.opened);
    // After these, Socket.IO does not reconnect by itself.
    const comeBack = (wait = AGAIN) => {
      if (!socket.active) this.#again = setTimeout(() => socket.connect(), wait);
    };
    let isFlooded = false;
    const flood = () => {
      isFlooded = true;
      socket.disconnect();
    };
    socket.io.on('open', () => {
      isFlooded = false;
    });
    socket.on('disconnect', () => {
      handlers.closed(isFlooded);
      comeBack(isFlooded ? FLOOD_PAUSE : AGAIN);
    });
    socket.on('connect_error', () => comeBack());
    const on = <T extends TSchema>(event: string, form: T, heard: (payload: Static<T>) => void) => {
      socket.on(event, (payload: unknown) => {
        if (Value.Check(form, payload)) heard(payload);
      });
    };
    on('qrcode.updated', Code, ({ instance, data: { qrcode, statusCode } }) => {
      if (qrcode) handlers.code(instance, qrcode.code);
      else if (statusCode !== undefined) handlers.code(instance, undefined);
    });
    on('connection.update', Connection, ({ instance, data }) => handlers.connection(instance, data));
    on('status.instance', InstanceStatus, ({ instance, data }) =>
      handlers.ended(instance, data.status, data.disconnectionReasonCode ?? undefined),
    );
    on('messages.update', MessageUpdate, ({ instance, data }) =>
      handlers.message(instance, data.keyId, data.status),
    );
    for (const event of ['instance.create', 'logout.instance']) on(event, OfInstance, handlers.changed);
    on('remove.instance', OfInstance, ({ instance }) => handlers.removed(instance));
    return new Promise((resolve) => {
      socket.once('connect', resolve);
      socket.once('connect_error', () => resolve());
    });
  }

  close(): void {
    clearTimeout(this.#again);
    this.#socket?.off('disconnect').disconnect();
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

  /** Resolves with false if the name is in use. */
  create(instanceName: string): Promise<boolean> {
    const body = { instanceName, integration: 'WHATSAPP-BAILEYS', qrcode: true };
    return this.#done({ method: 'POST', path: 'instance/create', body, or: { 403: false } });
  }

  /**
   * Connects an instance that is closed. Resolves with the codes of one that is connecting: the code to scan, which may
   * have been scanned already, and the code to type, if it was connected with a number.
   *
   * @param number the phone's, in digits, if it is to get codes to type
   */
  async connect(name: string, number?: string): Promise<{ code?: string; pairingCode?: string }> {
    const answer = Type.Object({
      code: Nullish(Type.String()),
      pairingCode: Nullish(Type.String()),
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
