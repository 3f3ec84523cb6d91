import { randomBytes } from 'node:crypto';
import { type Logger, pino } from 'pino';
import { STATES, type WirePairing } from '../../../src/wire.ts';
import type { Scope } from '../../../test/support/scope.ts';
import type { LinkEnd } from '../../link-page/wire.ts';
import { linkCalls, linkPage } from '../../src/http/link-page.ts';
import { createApp, securityHeaders } from '../../src/http/server.ts';
import { linkSockets } from '../../src/push/link-sockets.ts';
import { createSockets } from '../../src/push/sockets.ts';
import { ClientWarnings } from '../../src/security/client-warnings.ts';
import { LinkDoor } from '../../src/security/link-door.ts';
import { tokenCheck } from '../../src/security/tokens.ts';
import type { LinkedSessions, LinkView, LinkWatcher } from '../../src/sessions/linked-sessions.ts';

const TEN_MINUTES = 10 * 60_000;

/** The token of a gateway whose links are played. */
export const GATEWAY_TOKEN = 'un-token-de-prueba';

/** Links and their sessions, as a test wants them. */
export class FakeLinks implements LinkedSessions {
  readonly #numeros = new Map<string, string>();
  readonly #views = new Map<string, LinkView>();
  readonly #watchers: LinkWatcher[] = [];
  /** What was asked for, such as `pair 5215550001111`. */
  readonly calls: string[] = [];
  /** How many tokens were looked up. */
  lookups = 0;
  /** While set, everything that is asked rejects with it. */
  failure: Error | undefined;

  /** Issues a link for a session, and returns its token. */
  issue(numero: string, view: Partial<LinkView> = {}): string {
    const token = randomBytes(16).toString('base64url');
    this.#numeros.set(token, numero);
    const expires = Date.now() + TEN_MINUTES;
    this.#views.set(numero, { numero, state: STATES.disconnected, waiting: false, expires, ...view });
    return token;
  }

  /** Changes what a link shows; undefined removes. */
  change(numero: string, changes: { [Name in keyof LinkView]?: LinkView[Name] | undefined }): void {
    const view = this.#views.get(numero);
    if (!view) throw new Error(`There is no link for ${numero}`);
    const merged = Object.entries({ ...view, ...changes }).filter(([, value]) => value !== undefined);
    this.#views.set(numero, { ...view, ...changes, ...Object.fromEntries(merged) } as LinkView);
    for (const watcher of this.#watchers) watcher.changed(numero);
  }

  /** Ends the link of a session. */
  end(numero: string, reason: LinkEnd): void {
    this.forget(numero);
    this.#views.delete(numero);
    for (const watcher of this.#watchers) watcher.ended(numero, reason);
  }

  /** Forgets the token of a session's link, and tells nobody. */
  forget(numero: string): void {
    for (const [token, of] of this.#numeros) if (of === numero) this.#numeros.delete(token);
  }

  async check(token: string): Promise<{ numero: string } | undefined> {
    this.lookups += 1;
    if (this.failure) throw this.failure;
    const numero = this.#numeros.get(token);
    return numero === undefined ? undefined : { numero };
  }

  async opened(numero: string): Promise<void> {
    this.#call('opened', numero);
  }

  view(numero: string): LinkView | undefined {
    return this.#views.get(numero);
  }

  async pair(numero: string): Promise<WirePairing> {
    this.#call('pair', numero);
    const pairing = { code: 'K7XW29QD', expires: Date.now() + 180_000 };
    this.change(numero, { pairing });
    return pairing;
  }

  async start(numero: string): Promise<void> {
    this.#call('start', numero);
    this.change(numero, { state: STATES.authenticating, waiting: true });
  }

  watch(watcher: LinkWatcher): void {
    this.#watchers.push(watcher);
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
  links: LinkedSessions,
  { port = 0, logger = pino({ enabled: false }) }: { port?: number; logger?: Logger } = {},
): Promise<LinkServer> {
  const policy = { allowOrigins: [], host: '127.0.0.1' };
  const warnings = new ClientWarnings(logger);
  const app = createApp([], logger, warnings);
  const tokens = tokenCheck(GATEWAY_TOKEN);
  const { io, addressOf } = createSockets(app.server, policy, tokens, [], logger);
  securityHeaders(app.server);
  const door = new LinkDoor(links);
  linkSockets(io, links, door, addressOf, logger, warnings);
  linkPage(app);
  app.register((calls) => linkCalls(calls, policy, links, door), { prefix: '/l/api' });
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
