import { randomBytes } from 'node:crypto';
import { type Logger, pino } from 'pino';
import { STATES, type WireListItem, type WirePairing } from '../../../src/wire.ts';
import type { Scope } from '../../../test/support/scope.ts';
import type { LinkEnd } from '../../link-page/wire.ts';
import { linkCalls, linkPage } from '../../src/http/link-page.ts';
import { createApp, securityHeaders } from '../../src/http/server.ts';
import { linkSockets } from '../../src/push/link-sockets.ts';
import { createSockets } from '../../src/push/sockets.ts';
import { Admission } from '../../src/security/admission.ts';
import { ClientWarnings } from '../../src/security/client-warnings.ts';
import { LinkDoor, type LinkedSessions } from '../../src/security/link-door.ts';
import type { PasskeyAssertion, PasskeyChallenge } from '../../src/sessions/engine.ts';
import { linkId, tokenHash } from '../../src/sessions/links.ts';

/** Half a minute off what would be another number of minutes: a busy machine may look late. */
const LIFE = 9.5 * 60_000;

/** The token of a gateway whose links are played. */
export const GATEWAY_TOKEN = 'un-token-de-prueba';

/** What a session shows, and the code to type on its phone. */
type Shown = Partial<WireListItem> & { pairing?: WirePairing };

/** Links and their sessions, as a test wants them. */
export class FakeLinks implements LinkedSessions {
  /** The numero of each link, by the hash of its token. */
  readonly #numeros = new Map<string, string>();
  readonly #sessions = new Map<string, WireListItem & Shown>();
  /** The doors that learn of each change. */
  readonly doors: LinkDoor[] = [];
  /** What was asked for, such as `pair 5215550001111`. */
  readonly calls: string[] = [];
  /** How many tokens were looked up. */
  lookups = 0;
  /** While set, everything that is asked rejects with it. */
  failure: Error | undefined;

  /** Issues a link for a session, and returns its token. */
  issue(numero: string, shown: Shown = {}): string {
    const token = randomBytes(16).toString('base64url');
    const hash = tokenHash(token);
    this.#numeros.set(hash, numero);
    const link = { id: linkId(hash), expires: Date.now() + LIFE };
    this.#sessions.set(numero, { numero, state: STATES.disconnected, waiting: false, link, ...shown });
    return token;
  }

  /** Changes what a link shows; undefined removes. */
  change(numero: string, changes: { [Name in keyof Shown]?: Shown[Name] | undefined }): void {
    const session = this.#known(numero);
    const merged = Object.entries({ ...session, ...changes }).filter(([, value]) => value !== undefined);
    this.#sessions.set(
      numero,
      Object.assign({ numero, state: '', waiting: false }, Object.fromEntries(merged)),
    );
    for (const door of this.doors) door.heard(numero);
  }

  /** Ends the link of a session. */
  end(numero: string, reason: LinkEnd): void {
    this.forget(numero);
    const { link, state } = this.#known(numero);
    // Whoever knows the link knows this object.
    if (link && reason === 'expired') link.expires = Date.now();
    if (reason === 'replaced') this.change(numero, { link: { id: 'another', expires: Date.now() } });
    else if (reason !== 'deleted')
      this.change(numero, { link: undefined, state: reason === 'linked' ? STATES.connected : state });
    else {
      this.#sessions.delete(numero);
      for (const door of this.doors) door.heard(numero);
    }
  }

  /** Forgets the token of a session's link, and tells nobody. */
  forget(numero: string): void {
    for (const [hash, of] of this.#numeros) if (of === numero) this.#numeros.delete(hash);
  }

  get(numero: string): WireListItem | undefined {
    return this.#sessions.get(numero);
  }

  async linked(hash: string): Promise<string | undefined> {
    this.lookups += 1;
    if (this.failure) throw this.failure;
    return this.#numeros.get(hash);
  }

  async linkOpened(numero: string): Promise<void> {
    this.#call('opened', numero);
  }

  pairing(numero: string): WirePairing | undefined {
    return this.#sessions.get(numero)?.pairing;
  }

  async pair(numero: string): Promise<WirePairing> {
    this.#call('pair', numero);
    const pairing = { code: 'K7XW29QD', expires: Date.now() + 180_000 };
    this.change(numero, { pairing });
    return pairing;
  }

  async passkeyChallenge(numero: string): Promise<PasskeyChallenge> {
    this.#call('challenge', numero);
    return { challenge: 'cmV0bw', rpId: 'whatsapp.com' };
  }

  async passkey(numero: string, assertion?: PasskeyAssertion): Promise<void> {
    this.#call(assertion ? `sign with ${assertion.id}` : 'confirm', numero);
  }

  async start(numero: string): Promise<string> {
    this.#call('start', numero);
    this.change(numero, { state: STATES.authenticating, waiting: true });
    return numero;
  }

  #known(numero: string): WireListItem & Shown {
    const session = this.#sessions.get(numero);
    if (!session) throw new Error(`There is no link for ${numero}`);
    return session;
  }

  #call(name: string, numero: string): void {
    if (this.failure) throw this.failure;
    this.calls.push(`${name} ${numero}`);
  }
}

export interface LinkServer {
  readonly url: string;
  close(): Promise<void>;
}

/** Serves the links of a fake as the gateway does, on a free port, until the scope ends. */
export async function serveLinks(
  scope: Scope,
  links: FakeLinks,
  { port = 0, logger = pino({ enabled: false }) }: { port?: number; logger?: Logger } = {},
): Promise<LinkServer> {
  const policy = { allowOrigins: [], host: '127.0.0.1' };
  const warnings = new ClientWarnings(logger);
  const app = createApp([], logger, warnings);
  const admission = new Admission({ token: GATEWAY_TOKEN }, logger);
  const { io, addressOf } = createSockets(app.server, policy, admission, [], logger);
  securityHeaders(app.server);
  const door = new LinkDoor(links);
  links.doors.push(door);
  linkSockets(io, door, addressOf, logger, warnings);
  linkPage(app);
  app.register((calls) => linkCalls(calls, policy, door), { prefix: '/l/api' });
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= (async () => {
      const closed = io.close();
      app.server.closeAllConnections();
      await closed;
      await app.close();
    })();
    return closing;
  };
  scope.after(close);
  const url = await app.listen({ port, host: '127.0.0.1' });
  return { url, close };
}
