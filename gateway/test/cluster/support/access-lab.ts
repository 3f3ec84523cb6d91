import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { WireListItem } from '../../../../src/wire.ts';
import type { Scope } from '../../../../test/support/scope.ts';
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts';
import { until } from '../../../../test/support/until.ts';
import type { Gateway } from '../../../src/gateway.ts';
import { accessHash } from '../../../src/security/access-file.ts';
import { type Answer, call, Listener, startGateway } from '../../support/gateway.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import type { Person } from './access-model.ts';
import { clusterOn } from './lease.ts';
import { freshDatabase } from './postgres.ts';

/** The token of those who may do everything. */
export const TOKEN = 'token-administradora';

export const tokenOf = ({ name }: Pick<Person, 'name'>) => `token-${Buffer.from(name).toString('hex')}`;

/** Returns the text of an access file. */
export function fileOf(people: readonly Person[]): string {
  return JSON.stringify({
    users: people.map((person) => ({ ...person, token: accessHash(tokenOf(person)) })),
  });
}

/** Whom all messages go to. */
export const RECEIVER = '34600000009';

/** Gateways on one database, each with an access file of its own. Their phones do nothing before the clock moves. */
export class AccessLab {
  readonly #database: string;
  readonly clock = new ManualClock();
  readonly gateways: Gateway[] = [];
  readonly files: string[] = [];
  readonly #scope: Scope;
  readonly #folder = temporaryFolder();

  private constructor(scope: Scope, database: string) {
    this.#scope = scope;
    this.#database = database;
  }

  static async start(scope: Scope, text: string): Promise<AccessLab> {
    const lab = new AccessLab(scope, await freshDatabase());
    for (let count = 0; count < 3; count++) await lab.add(text);
    return lab;
  }

  /** Starts another gateway. */
  async add(text: string): Promise<Gateway> {
    const file = join(this.#folder, `access-${this.files.length}.json`);
    this.files.push(file);
    this.write(file, text);
    const gateway = await startGateway(this.#scope, {
      token: TOKEN,
      access: file,
      clock: this.clock,
      metrics: true,
      name: `servidor-${this.files.length}`,
      cluster: clusterOn(this.#database),
    });
    this.gateways.push(gateway);
    return gateway;
  }

  write(file: string, text: string): void {
    writeFileSync(file, text, { mode: 0o600 });
  }

  /** Returns the gateway of that place, counted from any number. */
  at(place: number): Gateway {
    const gateway = this.gateways[place % this.gateways.length];
    if (!gateway) throw new Error('There are no gateways');
    return gateway;
  }

  /** Opens a panel at every gateway. */
  listen(token: string): Promise<Listener[]> {
    return Promise.all(
      this.gateways.map((gateway) => Listener.connect(this.#scope, gateway, '/', { auth: { token } })),
    );
  }

  /** Opens panels of people at every gateway. */
  async panelsOf(people: readonly Person[]): Promise<Map<Person, Listener[]>> {
    const opened = people.map(async (person) => [person, await this.listen(tokenOf(person))] as const);
    return new Map(await Promise.all(opened));
  }

  /** Returns the lists of all gateways, once they are equal and like this. */
  agreed(isLike: (list: readonly WireListItem[]) => boolean): Promise<WireListItem[]> {
    return until(async () => {
      const lists = await Promise.all(this.gateways.map(async (gateway) => listAt(gateway)));
      const [first = []] = lists;
      return new Set(lists.map((list) => JSON.stringify(list))).size === 1 && isLike(first)
        ? first
        : undefined;
    }, 'the same list at every gateway');
  }
}

/** Makes a call, by default as somebody who may do everything. */
export function ask(
  gateway: Gateway,
  path: string,
  { token = TOKEN, ...init }: { method?: string; body?: unknown; token?: string } = {},
): Promise<Answer> {
  return call(gateway, path, { ...init, headers: { Authorization: `Bearer ${token}` } });
}

export async function listAt(gateway: Gateway, token = TOKEN): Promise<WireListItem[]> {
  const { status, body } = await ask(gateway, '/api/session/sessions', { token });
  if (status !== 200) throw new Error(`The list was answered ${status}: ${JSON.stringify(body)}`);
  return body as WireListItem[];
}
