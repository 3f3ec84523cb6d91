import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import type { PasskeyAssertion, PasskeyChallenge } from '../../sessions/engine.ts';
import { JsonClient, Nullish } from '../remote/json-client.ts';
import { CODE, LONGEST_NAME } from '../remote/limits.ts';
import type { Feed, RemotePasskeys, Sent } from '../remote/server.ts';
import { SocketFeed } from '../remote/socket-feed.ts';

/** The name for operators. */
export const TITLE = 'WAHA';

/** The linked account. */
export type Me = Static<typeof Me> | undefined;
const Me = Nullish(
  Type.Object({
    id: Type.String(),
    pushName: Nullish(Type.String()),
    reachoutTimelock: Type.Optional(Type.Unknown()),
    messageCapping: Type.Optional(Type.Unknown()),
  }),
);

/** The name of a session, or a word for its state, in an event. */
const Word = Type.String({ maxLength: LONGEST_NAME });

const Session = Type.Object({
  name: Type.String(),
  status: Type.String(),
  me: Me,
  config: Nullish(Type.Object({ metadata: Nullish(Type.Record(Type.String(), Type.Unknown())) })),
});

type Listed = Pick<Static<typeof Session>, 'name'> & Partial<Static<typeof Session>>;

/** The id of a message has another form in each of WAHA's engines. */
const MessageId = Type.Union([Word, Type.Object({ id: Word })]);

/** The events that count. */
const EVENTS = {
  'session.status': Type.Object({
    event: Type.Literal('session.status'),
    session: Word,
    me: Me,
    /** The data of `WORKING` are what has changed of the account's limits. */
    payload: Type.Object({ status: Word, data: Type.Optional(Type.Unknown()) }),
  }),
  'message.ack': Type.Object({
    event: Type.Literal('message.ack'),
    session: Word,
    payload: Type.Object({ id: MessageId, ack: Type.Integer() }),
  }),
};

/**
 * How GOWS fails if WhatsApp does not let the account write to a new contact (https://github.com/devlikeapro/waha/issues/1904).
 * Quotes in the message, which WAHA repeats, are escaped.
 */
const RESTRICTED = /"message":"[^"]*server returned error 463"/;

/** WAHA's HTTP API and its events (https://waha.devlike.pro/docs/how-to/). */
export class WahaClient implements RemotePasskeys {
  readonly #http: JsonClient;
  readonly #feedUrl: URL;
  readonly #feeds: SocketFeed[] = [];

  constructor(url: string, key: string) {
    this.#http = new JsonClient({ title: TITLE, url, headers: { 'x-api-key': key } });
    this.#feedUrl = new URL('ws', url);
    this.#feedUrl.search = String(new URLSearchParams({ 'x-api-key': key, session: '*' }));
  }

  /**
   * Opens a feed of one kind of event, since a second parameter `events` ends the process of WAHA 2024.10. Resolves
   * when it is open, or the first attempt has failed.
   */
  open<Kind extends keyof typeof EVENTS>(
    kind: Kind,
    handle: (event: Static<(typeof EVENTS)[Kind]>) => void,
    { opened, closed }: Pick<Feed, 'opened' | 'closed'> = { opened() {}, closed() {} },
  ): Promise<void> {
    const url = new URL(this.#feedUrl);
    url.searchParams.set('events', kind);
    const onEvent = (event: unknown) => {
      if (Value.Check(EVENTS[kind], event)) handle(event);
    };
    const feed = new SocketFeed(url, { opened, closed, onEvent });
    this.#feeds.push(feed);
    return feed.open();
  }

  close(): void {
    for (const feed of this.#feeds) feed.close();
    void this.#http.close();
  }

  version() {
    const answer = Type.Object({ version: Type.String(), engine: Nullish(Type.String()) });
    return this.#http.call({ path: 'api/server/version', answer });
  }

  /** Of a session of another form than expected, only the name is known. */
  async sessions(): Promise<Listed[]> {
    const answer = Type.Array(Type.Object({ name: Type.String() }));
    const sessions = await this.#http.call({ path: 'api/sessions?all=true', answer, isList: true });
    return sessions.map((session) => (Value.Check(Session, session) ? session : { name: session.name }));
  }

  /** Resolves with false if there is a session of that name. */
  create(name: string) {
    const answer = Type.Object({});
    return this.#http
      .call({ method: 'POST', path: 'api/sessions', body: { name, start: true }, answer, or: { 422: false } })
      .then(Boolean);
  }

  /** Resolves with false if the session is not in a state for it. */
  act(name: string, action: 'start' | 'restart' | 'stop' | 'logout') {
    const path = `api/sessions/${encodeURIComponent(name)}/${action}`;
    return this.#http.call({ method: 'POST', path, answer: Type.Unknown(), or: { 422: false } }).then(isDone);
  }

  async remove(name: string): Promise<void> {
    const path = `api/sessions/${encodeURIComponent(name)}`;
    await this.#http.call({ method: 'DELETE', path, answer: Type.Unknown(), or: { 404: undefined } });
  }

  /** Resolves with undefined if the session shows no code. */
  async code(name: string): Promise<string | undefined> {
    const path = `${this.#auth(name)}/qr?format=raw`;
    const answer = Type.Object({ value: CODE.scan });
    return (await this.#http.call({ path, answer, or: { 404: undefined, 422: undefined } }))?.value;
  }

  /** Resolves with undefined if WhatsApp returns none. */
  async pairingCode(name: string, phoneNumber: string): Promise<string | undefined> {
    const path = `${this.#auth(name)}/request-code`;
    const answer = Type.Object({ code: CODE.type });
    const body = { phoneNumber };
    return (await this.#http.call({ method: 'POST', path, body, answer, or: { 422: undefined } }))?.code;
  }

  challenge(name: string): Promise<PasskeyChallenge | undefined> {
    const path = `${this.#auth(name)}/passkey/challenge`;
    const answer = Type.Object({ challenge: Type.String({ minLength: 1 }) });
    return this.#http.call({ path, answer, or: { 404: undefined, 422: undefined } });
  }

  sign(name: string, body: PasskeyAssertion): Promise<boolean> {
    const path = `${this.#auth(name)}/passkey`;
    return this.#http
      .call({ method: 'POST', path, body, answer: Type.Unknown(), or: { 422: false } })
      .then(isDone);
  }

  async confirmation(name: string): Promise<string | undefined> {
    const path = `${this.#auth(name)}/passkey/confirmation`;
    const answer = Type.Object({ code: Type.String({ pattern: '^[\\w-]{4,16}$' }) });
    return (await this.#http.call({ path, answer, or: { 404: undefined, 422: undefined } }))?.code;
  }

  confirm(name: string): Promise<boolean> {
    const path = `${this.#auth(name)}/passkey/confirm`;
    return this.#http.call({ method: 'POST', path, answer: Type.Unknown(), or: { 422: false } }).then(isDone);
  }

  #auth(name: string): string {
    return `api/${encodeURIComponent(name)}/auth`;
  }

  /** Resolves with the address of a number; undefined if it does not use WhatsApp. */
  async addressOf(session: string, phone: string): Promise<string | undefined> {
    const path = `api/contacts/check-exists?${new URLSearchParams({ session, phone })}`;
    const answer = Type.Object({
      numberExists: Type.Boolean(),
      chatId: Nullish(Type.String()),
    });
    const { numberExists, chatId } = await this.#http.call({ path, answer });
    return numberExists ? (chatId ?? `${phone}@c.us`) : undefined;
  }

  async send(session: string, chatId: string, text: string): Promise<Sent> {
    const answer = Type.Object({
      id: Type.Optional(MessageId),
      key: Type.Optional(Type.Object({ id: Type.String() })),
    });
    const body = { session, chatId, text };
    const sent = await this.#http.call({
      method: 'POST',
      path: 'api/sendText',
      body,
      answer,
      or: { 422: 'not-connected' },
      says: [RESTRICTED, 'restricted'],
    });
    if (typeof sent === 'string') return sent;
    const id = sent.id ?? sent.key;
    return { id: id === undefined ? undefined : bareId(id) };
  }
}

const isDone = (answer: unknown) => answer !== false;

/** Returns WhatsApp's own id of a message, which is the last part of `true_5215550001111@c.us_3EB0…`. */
export function bareId(id: Static<typeof MessageId>): string {
  const text = typeof id === 'string' ? id : id.id;
  return /^(?:true|false)_[^_]+_([^_]+)/.exec(text)?.[1] ?? text;
}
