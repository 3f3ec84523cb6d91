import { setTimeout as wait } from 'node:timers/promises';
import { type Check, type Diagnosis, diagnose, Fault, Unsettled } from '../../diagnosis.ts';
import { numeroKey } from '../../numbers.ts';
import { version } from '../../version.ts';
import { RemoteError } from './errors.ts';
import { MOST_SESSIONS } from './limits.ts';
import { listingOf } from './listing.ts';
import type { RemoteName } from './names.ts';
import type { Feed, ListedSession, RemoteServer } from './server.ts';
import { isOlder } from './versions.ts';

/** Longest wait for an event of the probe, in milliseconds. */
const PATIENCE = 10_000;
/** The session that is created and deleted again, to check whether events report it. */
const PROBE = 'whatsapp-operadores-doctor';

interface Examination {
  /** The numeros of our own phones. Rejects with a `FolderError`. */
  readonly held: () => Promise<readonly string[]>;
  /** Creates and deletes a session on the server, if only that shows whether events arrive. */
  readonly mayProbe: boolean;
  /** The same server, with a wrong key. */
  readonly wrongKey: RemoteServer;
  /** What answers may be another server. */
  readonly others: ReadonlyMap<RemoteName, RemoteServer>;
}

/** Examines another server, and what the gateway needs from it. */
export async function remoteDoctor(
  server: RemoteServer,
  { held, mayProbe, wrongKey, others }: Examination,
): Promise<Diagnosis> {
  const { feed, isOpen, told } = observedFeed();
  const { title, oldest = '', events } = server;
  let sessions: ListedSession[] = [];
  const checks: Check[] = [
    async () => {
      const theirs = await server.version?.().catch(async (error: unknown) => {
        throw (await otherKind(others)) ?? error;
      });
      if (theirs === undefined) return `${title} reports no version.`;
      if (!isOlder(theirs, oldest)) return `${title} ${theirs} answers.`;
      throw new Fault(`${title} ${theirs} is too old: update it to ${oldest} or later.`);
    },
    async () => {
      sessions = await server.list();
      return `It accepts the key: ${counted(sessions.length)}${await omissions(sessions, held)}.`;
    },
    async () => {
      if (await refuses(wrongKey)) return 'It rejects other keys.';
      throw new Unsettled(
        'It accepts any key: whoever reaches it controls its sessions. Set its key, or let only the gateway reach it.',
      );
    },
    async () => {
      if (!events) return 'It has no feed of events: its list is read every 3 s.';
      await events.open(feed);
      if (!isOpen()) throw new Fault(`Its events cannot be read: ${events.remedy}.`);
      await server.list().catch((error: unknown) => {
        throw error instanceof RemoteError
          ? new Fault(`It no longer answers since its events are read: ${error.sentence}`)
          : error;
      });
      return 'Its events can be read, and it still answers.';
    },
  ];
  if (events?.mayHide) checks.push(() => probe(server, events.remedy, told, mayProbe));
  try {
    return await diagnose(
      [() => `Gateway ${version()}, Node ${process.versions.node}.`],
      checks.map(explained),
    );
  } finally {
    for (const one of [server, wrongKey, ...others.values()]) one.close();
  }
}

/** Whether a server rejects the key that it is asked with. */
async function refuses(server: RemoteServer): Promise<boolean> {
  try {
    await server.list();
    return false;
  } catch (error) {
    if (error instanceof RemoteError && error.failure === 'key') return true;
    throw error;
  }
}

/** Returns the fault of naming one server as another; undefined if none of the others answers. */
async function otherKind(others: Examination['others']): Promise<Fault | undefined> {
  for (const [name, other] of others) {
    try {
      const version = (await other.version?.()) ?? '';
      return new Fault(`What answers at --server is ${other.title} ${version}: use --engine ${name}.`);
    } catch (error) {
      if (!(error instanceof RemoteError)) throw error;
    }
  }
  return undefined;
}

/** Explains a {@link RemoteError} to the operator. */
function explained(check: Check): Check {
  return async () => {
    try {
      return await check();
    } catch (error) {
      throw error instanceof RemoteError ? new Fault(error.sentence) : error;
    }
  };
}

/** Says how many sessions would not be listed here, and why. */
async function omissions(sessions: readonly ListedSession[], held: Examination['held']): Promise<string> {
  const { omitted } = listingOf(sessions, { held: new Set((await held()).map(numeroKey)) });
  const reasons = [...omitted.values()];
  const words = {
    nameless: 'of an unknown number',
    twin: 'of a number that another one has',
    unnameable: 'with a name that no URL can have',
    held: 'of our own phones',
    surplus: `beyond the first ${MOST_SESSIONS}`,
  };
  return Object.entries(words)
    .map(([reason, meaning]) => [reasons.filter((one) => one === reason).length, meaning] as const)
    .map(([count, meaning]) => (count > 0 ? `; not listed: ${count} ${meaning}` : ''))
    .join('');
}

async function probe(
  server: RemoteServer,
  remedy: string,
  told: Promise<void>,
  mayProbe: boolean,
): Promise<string> {
  if (!mayProbe) {
    throw new Unsettled(
      `Whether events of every session come shows only when one changes: with --allow-delete, doctor creates a session and deletes it to find out. If states and codes come late: ${remedy}.`,
    );
  }
  try {
    await server.create(PROBE);
  } finally {
    await server.remove(PROBE);
  }
  const isTold = await Promise.race([told.then(() => true), wait(PATIENCE, false, { ref: false })]);
  if (isTold) return 'Its events report every session.';
  throw new Fault(`Its events did not report a session that was created and deleted: ${remedy}.`);
}

/** A feed that only records whether it opens, and whether it reports a session. */
function observedFeed() {
  let hasOpened = false;
  let tell = () => {};
  const told = new Promise<void>((resolve) => {
    tell = resolve;
  });
  const feed: Feed = {
    opened() {
      hasOpened = true;
    },
    closed() {},
    status: tell,
    code: tell,
    ack() {},
    changed: tell,
    removed: tell,
  };
  return { feed, isOpen: () => hasOpened, told };
}

function counted(count: number): string {
  return `${count} session${count === 1 ? '' : 's'}`;
}
