import { type ChildProcess, fork } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Scope } from '../../../test/support/scope.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { TRUSTED } from '../stand-ins/certificates.ts';
import type { ProxyCommand, ProxyKind, ProxyMode } from '../stand-ins/proxies.ts';
import { built } from './built.ts';

/** What every proxy that asks for a login takes; a URL encodes the end of it. */
export const LOGIN = 'ana:clave-secreta/ñ:@%';

interface Answer {
  readonly port?: number;
  readonly targets?: readonly string[];
}

/** A process with proxies; it ends with the test. */
export class Proxies {
  readonly #child: ChildProcess;
  /** The file with the certificate of the `https` proxies and of the page, for `NODE_EXTRA_CA_CERTS`. */
  readonly certificate: string;
  /** What is done with the answers to come. */
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  #calls = 0;

  private constructor(scope: Scope) {
    this.#child = fork(fileURLToPath(built('test/stand-ins/proxies')));
    scope.after(() => this.#child.kill('SIGKILL'));
    this.#child.on('message', (answer: Answer & { readonly id: number }) =>
      this.#waiting.get(answer.id)?.(answer),
    );
    this.certificate = join(temporaryFolder(), 'certificate.pem');
    writeFileSync(this.certificate, TRUSTED.cert);
  }

  static start(scope: Scope): Proxies {
    return new Proxies(scope);
  }

  /** Opens a proxy that goes out from an address of loopback. @param login `name:password` that it asks for */
  async open(kind: ProxyKind, exit: string, login?: string): Promise<OpenProxy> {
    const { port } = await this.call({ do: 'open', kind, exit, ...(login !== undefined && { login }) });
    return new OpenProxy(this, kind, exit, port ?? 0, login);
  }

  /** Opens the page that answers with the caller's address, over TLS, and returns its URL. */
  async page(): Promise<string> {
    const { port } = await this.call({ do: 'page' });
    return `https://127.0.0.1:${port}/`;
  }

  call(command: ProxyCommand): Promise<Answer> {
    this.#calls += 1;
    const id = this.#calls;
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      this.#child.send({ ...command, id });
    });
  }
}

export class OpenProxy {
  readonly name: string;
  readonly exit: string;
  /** With the login that it asks for. */
  readonly url: string;
  readonly #proxies: Proxies;
  readonly #port: number;

  constructor(proxies: Proxies, kind: ProxyKind, exit: string, port: number, login?: string) {
    this.#proxies = proxies;
    this.#port = port;
    this.exit = exit;
    this.name = `127.0.0.1:${port}`;
    this.url = `${kind}://${login === undefined ? '' : `${encoded(login)}@`}${this.name}`;
  }

  async set(mode: ProxyMode): Promise<void> {
    await this.#proxies.call({ do: 'set', port: this.#port, mode });
  }

  /** Cuts all its connections. */
  async cut(): Promise<void> {
    await this.#proxies.call({ do: 'cut', port: this.#port });
  }

  /** Which `host:port` it was asked for, the first one first. */
  async targets(): Promise<readonly string[]> {
    return (await this.#proxies.call({ do: 'targets', port: this.#port })).targets ?? [];
  }
}

function encoded(login: string): string {
  const [name = '', ...password] = login.split(':');
  return `${encodeURIComponent(name)}:${encodeURIComponent(password.join(':'))}`;
}
