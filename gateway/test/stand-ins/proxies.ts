/**
 * Proxies in a process of their own, and a page that answers with the address of whoever asks. Each goes out from an address
 * of its own on loopback, by which whoever is behind it can tell its connections from direct ones.
 */
import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingMessage } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { TLSSocket } from 'node:tls';
import { TRUSTED, UNTRUSTED } from './certificates.ts';

export type ProxyKind = 'http' | 'https' | 'socks5';

/** How a proxy behaves: `lying` says that others see another address, and answers for servers with TLS itself. */
export type ProxyMode = 'fair' | 'failing' | 'lying' | 'hanging';

/** What the process is told. */
export type ProxyCommand =
  | { readonly do: 'open'; readonly kind: ProxyKind; readonly exit: string; readonly login?: string }
  | { readonly do: 'page' }
  | { readonly do: 'set'; readonly port: number; readonly mode: ProxyMode }
  | { readonly do: 'cut'; readonly port: number }
  | { readonly do: 'targets'; readonly port: number };

/** What it answers: a port, or the targets that a proxy was asked for. */
type ProxyAnswer = { readonly port: number } | { readonly targets: readonly string[] } | object;

/** The address that a liar claims. */
const CLAIMED = '203.0.113.7';

class Relay {
  readonly exit: string;
  /** `name:password`; undefined if it asks for none. */
  readonly login: string | undefined;
  readonly targets: string[] = [];
  readonly sockets = new Set<Duplex>();
  mode: ProxyMode = 'fair';

  constructor(exit: string, login: string | undefined) {
    this.exit = exit;
    this.login = login;
  }

  keep<S extends Duplex>(socket: S): S {
    this.sockets.add(socket);
    socket.on('close', () => this.sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    return socket;
  }

  /** Joins a client with its target, once it is reached; a liar answers for those with TLS itself. */
  async join(client: Duplex, host: string, port: number, ready: (isReached: boolean) => void): Promise<void> {
    this.targets.push(`${host}:${port}`);
    const target = this.keep(connect({ host, port, localAddress: this.exit }));
    const isReached = await once(target, 'connect').then(
      () => true,
      () => false,
    );
    ready(isReached);
    if (!isReached) return;
    if (this.mode === 'lying' && (await beginsTls(client))) {
      target.destroy();
      this.keep(new TLSSocket(client as Socket, { isServer: true, ...UNTRUSTED }));
      return;
    }
    client.pipe(target).pipe(client);
    client.on('close', () => target.destroy());
    target.on('close', () => client.destroy());
  }
}

/** Whether the first byte of a client is that of a TLS handshake. */
async function beginsTls(client: Duplex): Promise<boolean> {
  const [first]: Buffer[] = await once(client, 'data');
  client.pause();
  client.unshift(first);
  return first?.[0] === 22;
}

function httpProxy(proxy: Relay, kind: 'http' | 'https'): Server {
  const server = kind === 'https' ? createHttpsServer(TRUSTED) : createHttpServer();
  server.on('connection', (socket: Socket) => proxy.keep(socket));
  server.on('connect', (request: IncomingMessage, client: Duplex) => {
    proxy.keep(client);
    if (proxy.mode === 'hanging') return;
    const expected = proxy.login && `Basic ${Buffer.from(proxy.login).toString('base64')}`;
    if (expected !== undefined && request.headers['proxy-authorization'] !== expected) {
      client.end(
        'HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm="test"\r\n\r\n',
      );
      return;
    }
    if (proxy.mode === 'failing') {
      client.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
      return;
    }
    const { hostname, port } = new URL(`http://${request.url}`);
    void proxy.join(client, hostname, Number(port), (isReached) => {
      const claim = proxy.mode === 'lying' ? `X-Forwarded-For: ${CLAIMED}\r\nVia: ${CLAIMED}\r\n` : '';
      client.write(`HTTP/1.1 ${isReached ? '200 OK' : '504 Gateway Timeout'}\r\n${claim}\r\n`);
    });
  });
  return server;
}

/** Returns the next message of a client. */
async function next(client: Socket): Promise<Buffer> {
  const [data]: Buffer[] = await once(client, 'data');
  return data ?? Buffer.alloc(0);
}

/** By RFC 1928, and RFC 1929 for the login. */
async function serveSocks(proxy: Relay, client: Socket): Promise<void> {
  const greeting = await next(client);
  if (proxy.mode === 'hanging') return;
  const method = proxy.login === undefined ? 0 : 2;
  if (!greeting.subarray(2).includes(method)) {
    client.end(Buffer.from([5, 0xff]));
    return;
  }
  client.write(Buffer.from([5, method]));
  if (proxy.login !== undefined) {
    const data = await next(client);
    const end = 2 + (data[1] ?? 0);
    const login = `${data.subarray(2, end)}:${data.subarray(end + 1)}`;
    const isRight = login === proxy.login;
    client.write(Buffer.from([1, isRight ? 0 : 1]));
    if (!isRight) return void client.end();
  }
  const request = await next(client);
  // The type of the address: 1 for IPv4, 3 for a name.
  const isName = request[3] === 3;
  const end = isName ? 5 + (request[4] ?? 0) : 8;
  const host = isName ? request.subarray(5, end).toString() : request.subarray(4, 8).join('.');
  const port = request.readUInt16BE(end);
  const reply = (code: number) => {
    const address = (proxy.mode === 'lying' ? CLAIMED : proxy.exit).split('.').map(Number);
    client.write(Buffer.from([5, code, 0, 1, ...address, 0, 0]));
  };
  if (proxy.mode === 'failing') return reply(1);
  await proxy.join(client, host, port, (isReached) => reply(isReached ? 0 : 5));
}

const proxies = new Map<number, Relay>();

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

async function run(command: ProxyCommand): Promise<ProxyAnswer> {
  if (command.do === 'page') {
    const page = createHttpsServer(TRUSTED, ({ socket }, answer) => answer.end(`${socket.remoteAddress}\n`));
    return { port: await listen(page) };
  }
  if (command.do === 'open') {
    const proxy = new Relay(command.exit, command.login);
    const socks = createServer(
      (client) => void serveSocks(proxy, proxy.keep(client)).catch(() => client.destroy()),
    );
    const port = await listen(command.kind === 'socks5' ? socks : httpProxy(proxy, command.kind));
    proxies.set(port, proxy);
    return { port };
  }
  const proxy = proxies.get(command.port);
  if (!proxy) throw new Error(`There is no proxy at ${command.port}`);
  if (command.do === 'set') proxy.mode = command.mode;
  if (command.do === 'cut') for (const socket of proxy.sockets) socket.destroy();
  return { targets: proxy.targets };
}

process.on('message', (command: ProxyCommand & { readonly id: number }) => {
  void run(command).then((answer) => process.send?.({ id: command.id, ...answer }));
});
