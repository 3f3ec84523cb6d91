import assert from 'node:assert/strict';
import type { Gateway } from '../../../gateway/src/gateway.ts';
import {
  callAs,
  Eavesdropper,
  type HeardAnswer,
  type HeardCall,
} from '../../../gateway/test/cluster/support/eavesdropper.ts';
import { startPostgres } from '../../../gateway/test/cluster/support/postgres.ts';
import { Stranger } from '../../../gateway/test/cluster/support/stranger.ts';
import { call, itemOf, message, startGateway } from '../../../gateway/test/support/gateway.ts';
import { STATES } from '../../../src/wire.ts';
import type { Scope } from '../../support/scope.ts';
import { stablePort } from '../../support/stable-port.ts';
import { until } from '../../support/until.ts';

export const NUMERO = '5215550001111';
export const CONTACT = '34600000001';
export const TEXT = 'Algo muy confidencial';

type Pass = (call: HeardCall) => Promise<HeardAnswer>;

/** Two gateways on one database, of which one owns a session, with somebody on the way to it. */
export class Pair {
  readonly owner: Gateway;
  readonly other: Gateway;
  readonly eavesdropper: Eavesdropper;
  /** Hears and says what any role of the database's server may. */
  readonly role: Stranger;
  /** Reads the cluster's secret from the database. */
  readonly secret: () => Promise<string>;
  /** What happens to calls on the way. */
  onTheWay: (call: HeardCall, pass: Pass) => Promise<HeardAnswer> = (heard, pass) => pass(heard);
  /** The texts of messages that were sent. */
  readonly #sent: string[] = [];
  #messages = 0;

  private constructor(
    owner: Gateway,
    other: Gateway,
    eavesdropper: Eavesdropper,
    role: Stranger,
    secret: () => Promise<string>,
  ) {
    this.owner = owner;
    this.other = other;
    this.eavesdropper = eavesdropper;
    this.role = role;
    this.secret = secret;
  }

  static async start(scope: Scope): Promise<Pair> {
    const server = await startPostgres(scope);
    const database = await server.freshDatabase();
    const role = await Stranger.connect(scope, server, database);
    const port = await stablePort();
    const pass: Pass = (heard) => callAs(`http://127.0.0.1:${port}`, heard);
    let pair: Pair | undefined;
    const eavesdropper = await Eavesdropper.listen(scope, (heard) =>
      pair ? pair.onTheWay(heard, pass) : pass(heard),
    );
    const cluster = { database, lease: 60, advertise: eavesdropper.url };
    const owner = await startGateway(scope, { port, sessions: 0, speed: 20, cluster });
    await link(owner);
    // Without room, it forwards everything.
    const other = await startGateway(scope, {
      sessions: 0,
      cluster: { database, lease: 60, maxSessions: 0 },
    });
    const name = new URL(database).pathname.slice(1);
    pair = new Pair(owner, other, eavesdropper, role, async () => {
      const [row] = await server.query((sql) => sql<{ secret: string }>`SELECT secret FROM cluster`, name);
      return row?.secret ?? assert.fail('there is no secret');
    });
    return pair;
  }

  /** The texts that arrived. */
  get received(): string[] {
    return this.owner.phones.get(CONTACT)?.messages.map(({ text }) => text) ?? [];
  }

  /** Asserts that both gateways answer a call alike, and neither with a failure of its own. */
  async alike(method: string, path: string, body: string): Promise<void> {
    const bytes = Buffer.from(body, 'latin1');
    const headers = body === '' ? {} : { 'content-type': 'application/json' };
    const asked = { method, path, headers, body: bytes };
    const answers: unknown[] = [];
    for (const { url } of [this.other, this.owner]) {
      const answer = await callAs(url, asked);
      answers.push({ status: answer.status, body: answer.body.toString() });
      assert.ok(answer.status < 500, `${JSON.stringify(asked.path)} ${body}: ${answer.status}`);
    }
    assert.deepEqual(answers[0], answers[1], `${method} ${JSON.stringify(path)} ${body}`);
  }

  /** Calls the owner as somebody who is no gateway. */
  async stranger(heard: HeardCall): Promise<void> {
    const { status } = await callAs(this.owner.url, heard);
    assert.ok(status < 500, `${JSON.stringify(heard)}: ${status}`);
  }

  /** Sends a message by way of the other gateway; returns the status. */
  async send(): Promise<number> {
    this.#messages += 1;
    const text = `${TEXT} ${this.#messages}`;
    const body = message(NUMERO, [Number(CONTACT)], text);
    const { status } = await call(this.other, '/api/message', { method: 'POST', body });
    assert.ok([200, 503, 504].includes(status), String(status));
    if (status === 200) this.#sent.push(text);
    return status;
  }

  /** Asserts that every message that was sent has arrived, and none twice: one that was held back may come later. */
  check(): void {
    const { received } = this;
    assert.deepEqual(received, [...new Set(received)]);
    for (const text of this.#sent) assert.ok(received.includes(text), `${text} has not arrived`);
  }
}

async function link(gateway: Gateway): Promise<void> {
  assert.equal((await call(gateway, `/api/session/levanta/${NUMERO}`)).status, 200);
  gateway.phones.phone(NUMERO).scan(await until(() => gateway.phones.get(NUMERO)?.code, 'a code'));
  await until(async () => (await itemOf(gateway, NUMERO))?.state === STATES.connected, 'the session');
}
