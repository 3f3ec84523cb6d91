import { type Check, type Diagnosis, diagnose, Fault, Unsettled } from '../../diagnosis.ts';
import { numeroKey } from '../../numbers.ts';
import { sessionsIn } from '../../terminal.ts';
import { isOlder, version } from '../../version.ts';
import { RemoteError } from './errors.ts';
import { listingOf } from './listing.ts';
import type { ListedSession, RemoteServer, ServerEvents } from './server.ts';

interface Examination {
  /** The numeros of our own phones. Rejects with a `FolderError`. */
  readonly held: () => Promise<readonly string[]>;
  /** The same server, with a wrong key. */
  readonly wrongKey: RemoteServer;
}

/** Examines another server, and what the gateway needs from it. */
export async function remoteDoctor(
  server: RemoteServer,
  { held, wrongKey }: Examination,
): Promise<Diagnosis> {
  const { title, oldest = '', events } = server;
  const checks: Check[] = [
    async () => {
      const theirs = await server.version?.();
      if (theirs === undefined) return `${title} reports no version.`;
      if (!isOlder(theirs, oldest)) return `${title} ${theirs} answers.`;
      throw new Fault(`${title} ${theirs} is too old: update it to ${oldest} or later.`);
    },
    async () => {
      const sessions = await server.list();
      return `It accepts the key: ${sessionsIn(sessions.length)}${await omissions(sessions, held)}.`;
    },
    async () => {
      if (await refuses(wrongKey)) return 'It rejects other keys.';
      throw new Unsettled(
        'It accepts any key: whoever reaches it controls its sessions. Set its key, or let only the gateway reach it.',
      );
    },
    async () => {
      if (!events) return 'It has no feed of events: its list is read every 3 s.';
      if (!(await opens(events))) throw new Fault(`Its events cannot be read: ${events.remedy}.`);
      await server.list().catch((error: unknown) => {
        throw error instanceof RemoteError
          ? new Fault(`It no longer answers since its events are read: ${error.sentence}`)
          : error;
      });
      return 'Its events can be read, and it still answers.';
    },
  ];
  try {
    return await diagnose(
      [() => `Gateway ${version()}, Node ${process.versions.node}.`],
      checks.map(explained),
    );
  } finally {
    server.close();
    wrongKey.close();
  }
}

/** Whether a feed of events opens. */
async function opens(events: ServerEvents): Promise<boolean> {
  let hasOpened = false;
  const ignored = () => {};
  await events.open({
    opened() {
      hasOpened = true;
    },
    closed: ignored,
    status: ignored,
    code: ignored,
    ack: ignored,
    changed: ignored,
    removed: ignored,
  });
  return hasOpened;
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
  };
  return Object.entries(words)
    .map(([reason, meaning]) => [reasons.filter((one) => one === reason).length, meaning] as const)
    .map(([count, meaning]) => (count > 0 ? `; not listed: ${count} ${meaning}` : ''))
    .join('');
}
