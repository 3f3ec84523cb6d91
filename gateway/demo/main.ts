/** `npm run demo:cluster`: three gateways on one PostgreSQL, and a page that shows which one owns which number. */
import { fileURLToPath } from 'node:url';
import { drain } from '../src/cluster/nodes-command.ts';
import { Cluster } from './cluster.ts';
import { Database } from './database.ts';
import { OwnershipReader } from './ownership.ts';
import { createSite } from './site.ts';
import { StartError } from './start-error.ts';

const GATEWAY = [
  '--import',
  import.meta.resolve('tsx'),
  fileURLToPath(new URL('../src/cli.ts', import.meta.url)),
];
/** Short, so that a takeover can be watched. */
const LEASE = 6;
const SESSIONS = 12;

/** Ends what has been started; the last one first. */
const ends: (() => Promise<unknown>)[] = [];
let isEnding = false;

async function endAll(): Promise<void> {
  for (let end = ends.pop(); end; end = ends.pop()) await end();
}

/** Returns the address of the page; undefined if it was interrupted. */
async function start(): Promise<string | undefined> {
  const database = await Database.start();
  ends.push(() => database.end());
  if (isEnding) return undefined;
  const reader = await OwnershipReader.open(database.url);
  ends.push(() => reader.end());

  // The password stays out of the process list, and the developer's options out of the demonstration.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('WO_')));
  env.WO_DATABASE = database.url;
  const serve = [
    ...['--engine', 'simulated', '--sessions', String(SESSIONS), '--lease', String(LEASE), '--port', '0'],
    ...['--log-level', 'error'],
  ];
  const command = { program: process.execPath, args: [...GATEWAY, ...serve], env };
  const cluster = new Cluster(command, (url) => drain(database.url, url, () => {}), reader);
  ends.push(() => cluster.end());
  await cluster.start();
  if (isEnding) return undefined;
  if (!cluster.servers.some(({ url }) => url !== undefined))
    throw new StartError('No gateway could be started.');

  const site = createSite(cluster);
  ends.push(() => site.close());
  return site.listen({ host: '127.0.0.1', port: 0 });
}

// Not before signals are heard.
const starting = Promise.resolve().then(start);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, async () => {
    if (isEnding) return;
    isEnding = true;
    await endAll();
    // What was being started meanwhile.
    await starting.catch(() => {});
    await endAll();
    process.exit(0);
  });
}

try {
  const url = await starting;
  if (url !== undefined) console.log(`${url}/ (Ctrl-C stops it)`);
} catch (error) {
  await endAll();
  if (!(error instanceof StartError)) throw error;
  console.error(error.message);
  process.exit(1);
}
