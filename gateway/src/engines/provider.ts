import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Diagnosis } from '../diagnosis.ts';
import { PLAIN } from '../ledger/cipher.ts';
import { cipherOfFile } from '../ledger/key-file.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { DiskObserver } from '../ledger/operations.ts';
import type { SharedSessions } from '../ledger/seed.ts';
import { memoryLedger, openLedger } from '../ledger/sqlite.ts';
import { numerosIn } from '../ledger/sqlite-store.ts';
import type { Engine } from '../sessions/engine.ts';
import { EvolutionServer } from './evolution/server.ts';
import type { EngineExtension } from './extensions.ts';
import { remoteDoctor } from './remote/doctor.ts';
import { RemoteEngine } from './remote/engine.ts';
import type { WatchTimings } from './remote/list-watch.ts';
import type { RemoteName } from './remote/names.ts';
import type { RemoteServer } from './remote/server.ts';
import type { Clock } from './simulated/clock.ts';
import { SimulatedPhones } from './simulated/phones.ts';
import { type Seed, seedRows } from './simulated/seeds.ts';
import { WahaServer } from './waha/server.ts';
import { WhatsappEngine, type WhatsappOptions } from './whatsapp/engine.ts';

/** Servers that the gateway can stand in front of; each takes the URL of its API, and its key. */
const SERVERS: Record<RemoteName, new (url: string, key: string) => RemoteServer> = {
  waha: WahaServer,
  evolution: EvolutionServer,
};

export interface RemoteOptions {
  readonly name: RemoteName;
  /** Where its HTTP API is, with a slash at the end. */
  readonly url: string;
  readonly key: string;
  /** Folder of our own phones; a folder in it holds the data about the server's sessions. */
  readonly folder: string;
  /** File with the key that encrypts this data; see `WhatsappOptions`. */
  readonly keyFile?: string | undefined;
  /** Deletes sessions on the server too. Default false: they are only removed from the list. */
  readonly allowDelete?: boolean;
  readonly timings?: Partial<WatchTimings>;
}

/** One kind of phones: simulated, real, or those of another server. */
export interface EngineProvider {
  readonly name: string;
  /**
   * The contract's extensions that its engine supports, which may depend on the version of another server; extensions
   * that need no engine are always available.
   */
  readonly extensions: readonly EngineExtension[];
  /** The panel's sentence after a deletion, if that deletes less than operators expect. */
  readonly deletion?: ((numero: string) => string) | undefined;
  /** What gateways on one database have in common; undefined if they cannot share these sessions. */
  readonly shared?: SharedSessions;
  /** Opens the ledger of a gateway that is alone. */
  openLedger(): Promise<Ledger>;
  /** @param open opens the ledger; called once, when the sessions are restored */
  createEngine(open: () => Promise<Ledger>): Engine;
}

/** What our own engines support: their unlink removes the device from the phone. */
const OWN_EXTENSIONS = ['unlink', 'pairing', 'ack'] as const;

/** @param log the operator log */
export function whatsappProvider(
  options: WhatsappOptions,
  log: Logger,
  onDiskTask?: DiskObserver,
): EngineProvider {
  const { folder, keyFile, passkey } = options;
  return {
    name: 'whatsapp',
    extensions: [...OWN_EXTENSIONS, 'proxy', ...(passkey ? (['passkey'] as const) : [])],
    get shared() {
      return { name: 'whatsapp', cipher: cipherOfFile(keyFile), seeds: [] };
    },
    openLedger: () => openLedger(folder, (sentence) => log.error(sentence), { keyFile, onDiskTask }),
    createEngine: (open) => new WhatsappEngine(open, log, options),
  };
}

/** @param isShared whether the sessions are in a database, with the seeds */
export function simulatedProvider(clock: Clock, seeds: readonly Seed[], isShared: boolean): EngineProvider {
  return {
    name: 'simulated',
    extensions: [...OWN_EXTENSIONS, 'proxy', 'passkey'],
    shared: { name: 'simulated', cipher: PLAIN, seeds: seedRows(seeds) },
    openLedger: memoryLedger,
    createEngine: (open) => new SimulatedPhones(clock, open, isShared ? [] : seeds),
  };
}

/**
 * The sessions of another server. Their data is stored in a separate folder beside the ledger of our own phones, whose
 * numeros are refused.
 *
 * @param log the operator log
 */
export function remoteProvider(
  options: RemoteOptions,
  log: Logger,
  onDiskTask?: DiskObserver,
): EngineProvider {
  const { name, url, key, folder, keyFile, allowDelete = false, timings } = options;
  const server = new SERVERS[name](url, key);
  const held = () => numerosIn(folder);
  return {
    name,
    get extensions() {
      return server.extensions;
    },
    deletion: allowDelete
      ? undefined
      : (numero) => `La sesión de ${numero} se quitó de la lista: en ${server.title} sigue.`,
    openLedger: () =>
      openLedger(join(folder, name), (sentence) => log.error(sentence), { keyFile, onDiskTask }),
    createEngine: (open) => new RemoteEngine(server, open, { allowDelete, timings, held }, log),
  };
}

/** Examines another server, and what the gateway needs from it. */
export function examineRemote({ name, url, key, folder }: RemoteOptions): Promise<Diagnosis> {
  return remoteDoctor(new SERVERS[name](url, key), {
    held: () => numerosIn(folder),
    wrongKey: new SERVERS[name](url, randomUUID()),
  });
}
