import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Diagnosis } from '../diagnosis.ts';
import { type Cipher, PLAIN } from '../ledger/cipher.ts';
import { cipherOfFile } from '../ledger/key-file.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { numerosIn } from '../ledger/list.ts';
import { memoryLedger } from '../ledger/memory.ts';
import type { DiskObserver } from '../ledger/operations.ts';
import type { SeedRow } from '../ledger/seed.ts';
import { openLedger } from '../ledger/sqlite.ts';
import type { Engine } from '../sessions/engine.ts';
import { EvolutionServer } from './evolution/server.ts';
import type { EngineExtension } from './extensions.ts';
import { remoteDoctor } from './remote/doctor.ts';
import { RemoteEngine } from './remote/engine.ts';
import type { WatchTimings } from './remote/list-watch.ts';
import { REMOTE_ENGINES, type RemoteName } from './remote/names.ts';
import type { RemoteServer } from './remote/server.ts';
import type { Clock } from './simulated/clock.ts';
import { SimulatedPhones } from './simulated/phones.ts';
import { type Seed, seedRows } from './simulated/seeds.ts';
import { StoredPhones } from './simulated/stored-phones.ts';
import { WahaServer } from './waha/server.ts';
import { WhatsappEngine, type WhatsappOptions } from './whatsapp/engine.ts';

/** Servers that the gateway can stand in front of; each takes the URL of its API, and its key. */
const SERVERS: Record<RemoteName, new (url: string, key: string) => RemoteServer> = {
  waha: WahaServer,
  evolution: EvolutionServer,
};

export type EngineName = 'simulated' | 'whatsapp' | RemoteName;

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

/** An engine, and the ledger of its sessions. */
export interface Carrier {
  readonly engine: Engine;
  /** Throws before the engine has been restored. */
  readonly ledger: () => Ledger;
}

/** The phones of a gateway: simulated, real, or those of another server. */
export interface Fleet {
  readonly name: EngineName;
  /** Acts for the owners of simulated phones; undefined with other engines. */
  readonly phones?: SimulatedPhones | undefined;
  /**
   * The contract's extensions that its engine supports, which may depend on the version of another server; extensions
   * that need no engine are always available.
   */
  readonly extensions: readonly EngineExtension[];
  /** The panel's sentence after a deletion, if that deletes less than operators expect. */
  readonly deletion?: ((numero: string) => string) | undefined;
  /** Returns the engine of a gateway with a store of its own. */
  alone(): Carrier;
}

/** Phones whose sessions many gateways can carry. */
export interface SharedFleet extends Fleet {
  /** The form of credentials in a shared store. */
  readonly cipher: Cipher;
  /** The initial sessions of an empty shared store. */
  readonly seeds: readonly SeedRow[];
  /** Returns the engine for the sessions in a shared store. */
  sharing(store: Ledger): Engine;
}

export function isShared(fleet: Fleet): fleet is SharedFleet {
  return 'sharing' in fleet;
}

/** What our own engines support: their unlink removes the device from the phone. */
const OWN_EXTENSIONS = ['unlink', 'pairing', 'ack'] as const;

/** @param log the operator log */
export function realFleet(options: WhatsappOptions, log: Logger, onDiskTask?: DiskObserver): SharedFleet {
  const { folder, keyFile } = options;
  const print = (sentence: string) => log.error(sentence);
  return {
    name: 'whatsapp',
    extensions: OWN_EXTENSIONS,
    get cipher() {
      return cipherOfFile(keyFile);
    },
    seeds: [],
    alone: () =>
      onDisk(
        () => openLedger(folder, print, { keyFile, onDiskTask }),
        (open) => new WhatsappEngine(open, log, options),
      ),
    sharing: (store) => new WhatsappEngine(async () => store, log, options),
  };
}

/** @param isShared whether the sessions are in a shared store, with the seeds */
export function simulatedFleet(clock: Clock, seeds: readonly Seed[], isShared: boolean): SharedFleet {
  const phones = new SimulatedPhones(clock, isShared ? [] : seeds);
  return {
    name: 'simulated',
    extensions: OWN_EXTENSIONS,
    cipher: PLAIN,
    seeds: seedRows(seeds),
    phones,
    alone() {
      const ledger = memoryLedger();
      return { engine: phones, ledger: () => ledger };
    },
    sharing: (store) => new StoredPhones(phones, store),
  };
}

/**
 * The sessions of another server. Their data is stored in a separate folder beside the store of our own phones, whose
 * numeros are refused.
 *
 * @param log the operator log
 */
export function remoteFleet(options: RemoteOptions, log: Logger, onDiskTask?: DiskObserver): Fleet {
  const { name, url, key, folder, keyFile, allowDelete = false, timings } = options;
  const server = new SERVERS[name](url, key);
  const print = (sentence: string) => log.error(sentence);
  return {
    name,
    get extensions() {
      return server.extensions;
    },
    deletion: allowDelete
      ? undefined
      : (numero) => `La sesión de ${numero} se quitó de la lista: en ${server.title} sigue`,
    alone: () =>
      onDisk(
        () => openLedger(join(folder, name), print, { keyFile, onDiskTask }),
        (open) =>
          new RemoteEngine(server, open, { allowDelete, timings, held: () => numerosIn(folder) }, log),
      ),
  };
}

/** Examines another server, and what the gateway needs from it. */
export function examineRemote({
  name,
  url,
  key,
  folder,
  allowDelete = false,
}: RemoteOptions): Promise<Diagnosis> {
  const others = REMOTE_ENGINES.filter((other) => other !== name);
  return remoteDoctor(new SERVERS[name](url, key), {
    held: () => numerosIn(folder),
    mayProbe: allowDelete,
    wrongKey: new SERVERS[name](url, randomUUID()),
    others: new Map(others.map((other) => [other, new SERVERS[other](url, key)])),
  });
}

/** Returns an engine and its archive, which are both in the store that the engine opens. */
function onDisk(
  openStore: () => Promise<Ledger>,
  engineOf: (open: () => Promise<Ledger>) => Engine,
): Carrier {
  let store: Ledger | undefined;
  const engine = engineOf(async () => {
    store = await openStore();
    return store;
  });
  return {
    engine,
    ledger() {
      if (!store) throw new Error('The engine was not restored');
      return store;
    },
  };
}
