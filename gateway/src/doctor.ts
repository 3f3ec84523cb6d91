import { readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type Check, checkClock, type Diagnosis, diagnose, Fault, Unsettled } from './diagnosis.ts';
import type { ConnectionOptions } from './engines/whatsapp/engine.ts';
import { INSTALL_LIBRARY, loadLibrary } from './engines/whatsapp/library.ts';
import { generalProxy } from './engines/whatsapp/proxies.ts';
import { isOld, isWhatsapp, versionToUse, WHATSAPP } from './engines/whatsapp/version.ts';
import type { Cipher } from './ledger/cipher.ts';
import { BESIDE, DATABASE, LOCK, quoted } from './ledger/folder.ts';
import { cipherOfFile } from './ledger/key-file.ts';
import { reasonOf } from './ledger/operations.ts';
import { CREDENTIALS, openRow, type Row } from './ledger/row.ts';
import {
  checkIntact,
  checkKey,
  checkStore,
  columnsOf,
  hasStore,
  inTransaction,
  readList,
  readRows,
  readStore,
  readVersionRow,
  VERSION,
} from './ledger/sqlite-store.ts';
import { ask } from './proxy/ask.ts';
import { CHECK_PAGE, type ProxyChecks, testProxy } from './proxy/check.ts';
import { ProxyError, type ProxyFailure } from './proxy/failure.ts';
import type { ProxyServer } from './proxy/proxy.ts';
import { routeThrough } from './proxy/route.ts';
import { daysSince, sessionsIn } from './terminal.ts';
import { version } from './version.ts';

/** How long a server may take to answer, in milliseconds. */
const TIMEOUT = 10_000;
const LIBRARY = '@whiskeysockets/baileys';

/**
 * Examines the folder of a running or stopped gateway, and what the gateway needs, without changes.
 *
 * @param keyFile file of the key, if the store is encrypted
 * @param options how the gateway reaches WhatsApp
 */
export async function doctor(
  folder: string,
  keyFile?: string,
  options: Pick<ConnectionOptions, 'url' | 'version' | 'proxy' | 'proxyCheck'> = {},
): Promise<Diagnosis> {
  const { url = WHATSAPP, version: fixed, proxyCheck: page = CHECK_PAGE } = options;
  const proxy = generalProxy(options);
  return diagnose(
    [() => `Gateway ${version()}, store version ${VERSION}, Node ${process.versions.node}.`],
    [clientLibrary, () => clientVersion(folder, url, fixed)],
    [() => keyInUse(keyFile)],
    [() => permissions(folder), () => intactStore(folder), () => readableCredentials(folder, keyFile)],
    ...(proxy ? [[() => proxyWorks(proxy, { whatsapp: url, page, timeout: TIMEOUT })]] : []),
    network(url, proxy),
  );
}

function clientLibrary(): string {
  const needed = Object(packageOf('whatsapp-operadores-gateway')?.peerDependencies)[LIBRARY];
  const library = packageOf(LIBRARY);
  if (library?.version === needed) return `The client library is Baileys ${needed}.`;
  const problem = library ? `Baileys ${library.version}, not ${needed}` : 'not installed';
  throw new Fault(`The client library is ${problem}. Run this first: ${INSTALL_LIBRARY}`);
}

async function clientVersion(folder: string, url: string, fixed: string | undefined): Promise<string> {
  const { DEFAULT_CONNECTION_CONFIG } = await loadLibrary();
  // What is wrong with the store is the matter of other checks.
  const stored = hasStore(folder)
    ? await readStore(folder, readVersionRow).catch(() => undefined)
    : undefined;
  const inUse = versionToUse({ fixed, bundled: DEFAULT_CONNECTION_CONFIG.version, stored });
  const { version, source, confirmed } = inUse;
  const presented = `The gateway presents WhatsApp Web ${version}`;
  if (source === 'option') return `${presented}, as --whatsapp-version says.`;
  if (!isWhatsapp(url)) return `${presented}; it asks no other server than WhatsApp for a later one.`;
  const age =
    confirmed === undefined
      ? 'that of the client library, which WhatsApp has not confirmed'
      : `which WhatsApp confirmed ${daysSince(confirmed)} ago`;
  if (!isOld(inUse)) return `${presented}, ${age}.`;
  throw new Unsettled(
    `${presented}, ${age}: it may be too old to link phones. A gateway that runs asks once a day, and its log says why it ` +
      'gets no answer.',
  );
}

/** Returns the manifest of a package; undefined if it is not installed. */
function packageOf(name: string): Record<string, unknown> | undefined {
  try {
    const file = createRequire(import.meta.url).resolve(`${name}/package.json`);
    return Object(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return undefined;
  }
}

function permissions(folder: string): string {
  checkStore(folder);
  checkMode(folder, 0o022, 'Other users can write to', 'chmod go-w');
  for (const name of [LOCK, DATABASE, ...BESIDE.map((suffix) => DATABASE + suffix)]) {
    checkMode(join(folder, name), 0o077, 'Other users have access to', 'chmod 600');
  }
  return `Only their owner can change '${folder}' and read its files.`;
}

function checkMode(path: string, forbidden: number, fault: string, remedy: string): void {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats) return;
  const own = process.geteuid?.();
  // Windows has neither owners nor modes.
  if (own === undefined) return;
  if (stats.uid !== own) {
    throw new Fault(
      `'${path}' belongs to the user ${stats.uid}, not to this one (${own}): run doctor as the gateway's user.`,
    );
  }
  if ((stats.mode & forbidden) !== 0) {
    throw new Fault(`${fault} '${path}'. Run this first: ${remedy} ${quoted(path)}`);
  }
}

function keyInUse(keyFile: string | undefined): string {
  const { id } = cipherOfFile(keyFile);
  return id === null ? 'No key file is named.' : `The key file '${keyFile}' holds the key ${id}.`;
}

function intactStore(folder: string): Promise<string> {
  return readStore(folder, (db) => `The store is intact: ${sessionsIn(checkIntact(db))}.`);
}

async function readableCredentials(folder: string, keyFile: string | undefined): Promise<string> {
  const cipher = cipherOfFile(keyFile);
  const sessions = await readStore(folder, (db) =>
    inTransaction(db, () => {
      checkKey(db, cipher, folder);
      return readList(db).map(({ id, numero }) => {
        const [row] = readRows(db, "key WHERE session = ? AND type = ? AND id = ''", id, CREDENTIALS.type);
        return { numero, link: row ? linkIn(cipher, numero, row) : 'none' };
      });
    }),
  );
  const lost = sessions.filter(({ link }) => link === 'lost').map(({ numero }) => numero);
  if (lost.length > 0) {
    throw new Fault(
      `The keys of ${lost.join(', ')} cannot be read: delete these sessions and link them again, or bring a backup back with restore.`,
    );
  }
  const linked = sessions.filter(({ link }) => link === 'phone').length;
  return `The credentials of every session can be read: ${linked} of ${sessionsIn(sessions.length)} linked.`;
}

/** Returns what stored credentials link: a phone, none yet, or that cannot be read. */
function linkIn(cipher: Cipher, numero: string, row: Row): 'phone' | 'none' | 'lost' {
  try {
    return columnsOf(JSON.parse(openRow(cipher, numero, row))).me ? 'phone' : 'none';
  } catch {
    return 'lost';
  }
}

async function proxyWorks(proxy: ProxyServer, checks: ProxyChecks): Promise<string> {
  const exit = await testProxy(proxy, checks).catch((error: unknown) => {
    if (!(error instanceof ProxyError)) throw error;
    throw new Fault(`The proxy ${proxy.name} does not work: ${PROXY_REMEDIES[error.failure]}.`);
  });
  const side =
    exit === undefined ? 'The address from which it goes out is unknown' : `It goes out from ${exit}`;
  return `WhatsApp answers through the proxy ${proxy.name}. ${side}.`;
}

const PROXY_REMEDIES: Readonly<Record<ProxyFailure, string>> = {
  unreachable: 'nothing answers there. Correct its host and port, or let this machine connect to it',
  silent: 'it does not answer. Find out whether it runs',
  password: 'it does not accept the name and the password. Correct them in its URL',
  refuses: 'it does not let the gateway through. Let it connect to WhatsApp',
  certificate: 'its certificate, or that of what answers in place of WhatsApp, is not to be trusted',
};

function network(url: string, proxy: ProxyServer | undefined): Check[] {
  const { host } = new URL(url);
  let theirs: Date | undefined;
  return [
    async () => {
      theirs = await dateOf(url, proxy).catch((error: unknown) => {
        throw new Fault(
          `${host} cannot be reached (${reasonOf(error)}): let this machine connect to it, by DNS and firewall.`,
        );
      });
      return `${host} answers; whether it takes a session shows only when one connects.`;
    },
    () => {
      if (theirs) return checkClock(theirs.getTime(), host, 'set it');
      throw new Unsettled('No other clock shows whether that of this machine is right.');
    },
  ];
}

/** Returns the time in any answer of a server; undefined if it has none. Rejects with Node's error. */
async function dateOf(url: string, proxy: ProxyServer | undefined): Promise<Date | undefined> {
  const route = proxy && routeThrough(proxy);
  const options = { method: 'HEAD', agent: route?.agent ?? false, timeout: TIMEOUT } as const;
  try {
    const date = await ask(
      new URL(url.replace(/^ws/, 'http')),
      options,
      ({ headers }) => new Date(headers.date ?? ''),
    );
    return Number.isNaN(date.getTime()) ? undefined : date;
  } finally {
    route?.close();
  }
}
