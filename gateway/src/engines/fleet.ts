import type { Logger } from 'pino';
import type { Engine } from '../sessions/engine.ts';
import type { Archive } from '../store/archive.ts';
import { type Cipher, PLAIN } from '../store/cipher.ts';
import type { DiskObserver } from '../store/disk.ts';
import { cipherOfFile } from '../store/key-file.ts';
import { MemoryArchive } from '../store/memory-archive.ts';
import type { SessionStore } from '../store/session-store.ts';
import { SqliteStore } from '../store/sqlite-store.ts';
import type { Clock } from './simulated/clock.ts';
import { SimulatedPhones } from './simulated/phones.ts';
import { type Seed, type SeedRow, seedRows } from './simulated/seeds.ts';
import { StoredPhones } from './simulated/stored-phones.ts';
import { WhatsappEngine, type WhatsappOptions } from './whatsapp/engine.ts';

/** An engine, and what is kept of its sessions beside their keys. */
export interface Carrier {
  readonly engine: Engine;
  /** Throws before the engine has been restored. */
  readonly archive: () => Archive;
}

/** The phones of a gateway, simulated or real. */
export interface Fleet {
  readonly name: 'simulated' | 'whatsapp';
  /** To act as the owners of simulated phones; undefined for real ones. */
  readonly phones: SimulatedPhones | undefined;
  /** How the credentials lie in a shared store. */
  readonly cipher: Cipher;
  /** The sessions of a shared store without any. */
  readonly seeds: readonly SeedRow[];
  /** Returns the engine of a gateway with a store of its own. */
  alone(): Carrier;
  /** Returns the engine for the sessions in a shared store. */
  sharing(store: SessionStore): Engine;
}

/** @param log the operator log */
export function realFleet(options: WhatsappOptions, log: Logger, onDiskTask?: DiskObserver): Fleet {
  const { folder, keyFile } = options;
  const print = (sentence: string) => log.error(sentence);
  return {
    name: 'whatsapp',
    phones: undefined,
    get cipher() {
      return cipherOfFile(keyFile);
    },
    seeds: [],
    alone() {
      let store: SqliteStore | undefined;
      const open = async () => {
        store = await SqliteStore.open(folder, print, { keyFile, onDiskTask });
        return store;
      };
      return {
        engine: new WhatsappEngine(open, log, options),
        archive() {
          if (!store) throw new Error('The engine was not restored');
          return store.archive;
        },
      };
    },
    sharing: (store) => new WhatsappEngine(async () => store, log, options),
  };
}

/** @param isShared whether the sessions are in a shared store, with the seeds */
export function simulatedFleet(clock: Clock, seeds: readonly Seed[], isShared: boolean): Fleet {
  const phones = new SimulatedPhones(clock, isShared ? [] : seeds);
  return {
    name: 'simulated',
    cipher: PLAIN,
    seeds: seedRows(seeds),
    phones,
    alone() {
      const archive = new MemoryArchive();
      return { engine: phones, archive: () => archive };
    },
    sharing: (store) => new StoredPhones(phones, store),
  };
}
