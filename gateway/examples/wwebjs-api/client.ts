import { Type } from 'typebox';
import { JsonClient, Nullable, Nullish } from '../../src/engines/remote/json-client.ts';

/** Whether it did it: a session that it does not know is a success of HTTP. */
const Outcome = Type.Object({ success: Type.Boolean() });
const Done = Type.Object({ success: Type.Literal(true) });
const Address = Type.Object({ _serialized: Type.String({ minLength: 1 }) });

/** wwebjs-api's HTTP API (https://github.com/avoylenko/wwebjs-api/blob/main/swagger.json). */
export class WwebjsClient {
  readonly #http: JsonClient;

  constructor(url: string, key: string) {
    this.#http = new JsonClient({ title: 'wwebjs-api', url, headers: { 'x-api-key': key } });
  }

  close(): void {
    void this.#http.close();
  }

  async sessions(): Promise<string[]> {
    const answer = Type.Object({ result: Type.Array(Type.String()) });
    return (await this.#http.call({ path: 'session/getSessions', answer, isList: true })).result;
  }

  status(name: string) {
    const answer = Type.Object({ state: Nullable(Type.String()), message: Type.String() });
    return this.#http.call({ path: pathOf('session/status', name), answer });
  }

  async start(name: string): Promise<void> {
    await this.#http.call({ path: pathOf('session/start', name), answer: Done });
  }

  /** Resolves with false if there is no such session. */
  async act(name: string, action: 'restart' | 'terminate'): Promise<boolean> {
    return (await this.#http.call({ path: pathOf(`session/${action}`, name), answer: Outcome })).success;
  }

  /** Resolves with undefined if the session shows no code. */
  async code(name: string): Promise<string | undefined> {
    const answer = Type.Object({ qr: Type.Optional(Type.String({ minLength: 1 })) });
    return (await this.#http.call({ path: pathOf('session/qr', name), answer })).qr;
  }

  /** Resolves with undefined if WhatsApp gives none: whatever fails there is a 500. */
  async pairingCode(name: string, phoneNumber: string): Promise<string | undefined> {
    const answer = Type.Object({ result: Type.Optional(Type.String()) });
    const call = { method: 'POST', path: pathOf('session/requestPairingCode', name), answer } as const;
    return (await this.#http.call({ ...call, body: { phoneNumber }, or: { 500: undefined } }))?.result;
  }

  /** Resolves with the linked account; undefined until the session can send. */
  async me(name: string) {
    const info = Type.Object({ wid: Address, pushname: Nullish(Type.String()) });
    const answer = Type.Object({ sessionInfo: Nullish(info) });
    const path = pathOf('client/getClassInfo', name);
    return (await this.#http.call({ path, answer, or: { 404: undefined } }))?.sessionInfo ?? undefined;
  }

  /** Resolves with undefined if the number does not use WhatsApp. */
  async addressOf(name: string, number: string): Promise<string | undefined> {
    const answer = Type.Object({ result: Nullable(Address) });
    const call = { method: 'POST', path: pathOf('client/getNumberId', name), answer } as const;
    return (await this.#http.call({ ...call, body: { number } })).result?._serialized;
  }

  /** Resolves with false if the session cannot send. */
  async send(name: string, chatId: string, content: string): Promise<boolean> {
    const body = { chatId, contentType: 'string', content };
    const call = { method: 'POST', path: pathOf('client/sendMessage', name), answer: Done } as const;
    return (await this.#http.call({ ...call, body, or: { 404: false } })) !== false;
  }
}

const pathOf = (call: string, name: string) => `${call}/${encodeURIComponent(name)}`;
