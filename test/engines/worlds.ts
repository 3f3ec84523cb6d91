import { address, type Run, run } from '../../gateway/test/support/command.ts';
import { NUMERO } from '../../gateway/test/support/gateway.ts';
import { KEY, type SERVERS, StandIn } from '../../gateway/test/support/stand-in.ts';
import type { Scope } from '../support/scope.ts';
import { stablePort } from '../support/stable-port.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Its session is connected from the start. */
export const FRIEND = '34600111222';

/**
 * A gateway, started by its command, in front of a server of somebody else, and what the owners of the phones do and
 * see. Gateway and server can be killed.
 */
export class RemoteWorld {
  readonly server: StandIn;
  /** Where the panel is. */
  readonly url: string;
  readonly #scope: Scope;
  readonly #args: readonly string[];
  #gateway: Run | undefined;

  private constructor(scope: Scope, server: StandIn, port: number, args: readonly string[]) {
    this.#scope = scope;
    this.server = server;
    this.url = `http://127.0.0.1:${port}`;
    this.#args = ['--port', String(port), ...args];
  }

  static async start(scope: Scope, { name, args: traits }: (typeof SERVERS)[number]): Promise<RemoteWorld> {
    const server = await StandIn.start(scope, name, ...traits);
    await server.command({ do: 'create', name: FRIEND, phone: FRIEND });
    const folder = temporaryFolder();
    const args = ['--engine', name, '--server', server.url, '--data', folder, '--allow-delete'];
    const world = new RemoteWorld(scope, server, await stablePort(), args);
    await world.#startGateway();
    return world;
  }

  /** Kills the gateway, and starts it again on the same port and folder. */
  async restartGateway(): Promise<void> {
    await this.#killGateway();
    await this.#startGateway();
  }

  /** The phone of {@link NUMERO} scans a code. Rejects unless its session shows that one now. */
  scan(code: string): Promise<void> {
    return this.server.command({ do: 'scan', phone: NUMERO, code });
  }

  loseLine(name: string): Promise<void> {
    return this.server.command({ do: 'loseLine', name });
  }

  recoverLine(name: string): Promise<void> {
    return this.server.command({ do: 'recoverLine', name });
  }

  /** Removes the gateway from the phone's linked devices. */
  unlink(name: string): Promise<void> {
    return this.server.command({ do: 'logOut', name });
  }

  /** The texts that have arrived at a number, oldest first. */
  async received(numero: string): Promise<string[]> {
    const messages = await this.server.messages();
    return messages.filter(({ to }) => to === numero).map(({ text }) => text);
  }

  async #startGateway(): Promise<void> {
    this.#gateway = run(this.#scope, this.#args, { env: { WO_SERVER_KEY: KEY } });
    await address(this.#gateway);
  }

  async #killGateway(): Promise<void> {
    this.#gateway?.child.kill('SIGKILL');
    await this.#gateway?.ended;
  }
}

/** Either side of a remote world, killed and started again. */
export const KILLS = {
  'its server': ({ server }: RemoteWorld) => server.restart(),
  'the gateway': (world: RemoteWorld) => world.restartGateway(),
};
