import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import type { Random } from '../../../../test/attack/random.ts';
import type { Scope } from '../../../../test/support/scope.ts';
import { until } from '../../../../test/support/until.ts';
import { type ClusterLab, layOutCluster } from '../support/cluster-lab.ts';
import type { ClusterNode } from '../support/cluster-node.ts';
import { SHORT_LEASE } from '../support/lease.ts';

interface ChaosOptions {
  readonly random: Random;
  readonly numeros: number;
  readonly minutes: number;
  /** Takes a line about each round. */
  readonly print?: (line: string) => void;
}

const GATEWAYS = 3;
/** How many messages are under way while something fails. */
const SENDERS = 2;

/** A fault of one part: it begins, lasts, and is over. */
type Fault = (lab: ClusterLab, random: Random, victims: Victims) => Promise<void>;

/** Gateways are hit one at a time by what ends or freezes them, and never all of them. */
class Victims {
  readonly #free: ClusterNode[];

  constructor(nodes: readonly ClusterNode[]) {
    this.#free = nodes.slice(1);
  }

  /** Returns a gateway that nothing else happens to. */
  take(random: Random): ClusterNode | undefined {
    if (this.#free.length === 0) return undefined;
    return this.#free.splice(random.integer(0, this.#free.length - 1), 1)[0];
  }
}

const FAULTS: Record<string, Fault> = {
  async killed(lab, random, victims) {
    await victims.take(random)?.kill();
    await wait(random.integer(0, 3_000));
    await addOne(lab);
  },
  async stopped(lab, random, victims) {
    await victims.take(random)?.stop();
    await wait(random.integer(0, 3_000));
    await addOne(lab);
  },
  async 'frozen beyond its lease'(lab, random, victims) {
    const node = victims.take(random);
    node?.freeze();
    await wait(lab.lease * 2_000 + random.integer(0, 4_000));
    node?.thaw();
  },
  async 'frozen for a moment'(lab, random, victims) {
    const node = victims.take(random);
    node?.freeze();
    await wait(random.integer(100, lab.lease * 300));
    node?.thaw();
  },
  async 'link frozen'(lab, random, victims) {
    const node = victims.take(random);
    node?.cutOff();
    await wait(random.integer(500, lab.lease * 2_500));
    node?.reconnect();
  },
  async 'link cut'(lab, random) {
    for (let times = random.integer(1, 5); times > 0; times--) {
      for (const link of random.pick(lab.serving).links) link.cut();
      await wait(random.integer(0, 1_000));
    }
  },
  async 'link slow'(lab, random) {
    const { links } = random.pick(lab.serving);
    for (const link of links) link.slow(random.integer(50, 600));
    await wait(random.integer(2_000, 10_000));
    for (const link of links) link.slow(0);
  },
  async 'database crashed'({ server }) {
    await server.restart();
  },
  async 'database away'(lab, random) {
    await lab.server.stop('fast');
    await wait(random.integer(500, lab.lease * 2_000));
    await lab.server.start();
  },
  async 'database frozen'(lab, random) {
    lab.server.pause();
    await wait(random.integer(500, lab.lease * 2_000));
    lab.server.resume();
  },
  async 'WhatsApp away'({ whatsapp }, random) {
    await whatsapp.goDown();
    await wait(random.integer(100, 4_000));
    await whatsapp.comeBack();
  },
};

/** One part after the other fails, or two at once, at random; afterwards every numero is where it was. */
export async function chaos(scope: Scope, { random, numeros, minutes, print = () => {} }: ChaosOptions) {
  const lab = await layOutCluster(scope, { nodes: GATEWAYS, lease: SHORT_LEASE });
  await lab.linkMany(numeros);
  await lab.everyMessageDecrypts();
  const end = performance.now() + minutes * 60_000;
  const counts = new Map<string, number>();
  let rounds = 0;
  let sent = 0;
  let refused = 0;
  for (; performance.now() < end; rounds++) {
    const drawn = random.chance(0.3) ? [pick(random), pick(random)] : [pick(random)];
    // Two of one kind would undo each other's end, and so would two of the database.
    const names = [...new Map(drawn.map((name) => [name.startsWith('database') || name, name])).values()];
    print(`${rounds + 1}: ${names.join(' and ')}`);
    const owners = await lab.owners();
    const before = new Map(lab.numeros.map((numero) => [numero, lab.whatsapp.phone(numero).conflicts]));
    const begun = performance.now();
    const victims = new Victims(lab.serving);
    let isOver = false;
    const senders = Array.from({ length: SENDERS }, async () => {
      while (!isOver) {
        const isSent = await trySend(lab, random);
        if (isSent) sent += 1;
        else refused += 1;
        await wait(random.integer(500, 2_500));
      }
    });
    await Promise.all(names.map((name) => FAULTS[name]?.(lab, random, victims)));
    isOver = true;
    await Promise.all(senders);
    await lab.allConnected().catch(async (error: unknown) => {
      for (const { url, log } of lab.nodes.filter(({ isAlive }) => isAlive)) {
        print([url, ...log.slice(-20)].join('\n  '));
      }
      for (const { numero, url } of await lab.table()) if (url === null) print(`Nobody owns ${numero}.`);
      throw error;
    });
    const healed = performance.now() - begun;
    await lab.everyMessageDecrypts();
    lab.noNewRegistration();
    // Who is frozen cannot close its lines; nobody else's are opened twice.
    const excused = names.includes('frozen beyond its lease') ? 1 : 0;
    for (const [numero, conflicts] of before) {
      const more = lab.whatsapp.phone(numero).conflicts - conflicts;
      assert.ok(more <= excused, `${numero}, of ${owners.get(numero)?.url}: ${more} second logins`);
    }
    const panel = await lab.panel(random.pick(lab.serving));
    await lab.showsTable(panel);
    for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
    print(`   all back after ${(healed / 1_000).toFixed(1)} s`);
  }
  const faults = [...counts].map(([name, count]) => `${count} ${name}`).join(', ');
  return (
    `${rounds} rounds with ${numeros} numeros (${faults}), ${sent} messages sent and ${refused} refused meanwhile, ` +
    `${lab.logins} logins, ${lab.conflicts} lines of frozen gateways closed by WhatsApp, 0 second logins, ` +
    '0 registrations, every message afterwards decrypted'
  );
}

/** Starts a gateway, once the database answers: without it, it would refuse. */
async function addOne(lab: ClusterLab): Promise<void> {
  await until(() => lab.table().then(() => true), 'the database to answer');
  await lab.add();
}

function pick(random: Random): string {
  return random.pick(Object.keys(FAULTS));
}

async function trySend(lab: ClusterLab, random: Random): Promise<boolean> {
  try {
    const { status } = await random
      .pick(lab.serving)
      .send(random.pick(lab.numeros), '34688888888', 'Entretanto');
    return status === 200;
  } catch {
    return false;
  }
}
