import { pino } from 'pino';
import type { Scope } from '../../../test/support/scope.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { until } from '../../../test/support/until.ts';
import { RemoteEngine } from '../../src/engines/remote/engine.ts';
import type { RemoteServer } from '../../src/engines/remote/server.ts';
import { otherNumero } from '../../src/engines/simulated/endings.ts';
import { openLedger } from '../../src/ledger/sqlite.ts';
import type { Engine } from '../../src/sessions/engine.ts';
import type { Command } from '../stand-ins/control.ts';
import { KEY, type StandIn } from '../support/stand-in.ts';
import type { EngineLab, OpenLab, StopAbility } from './lab.ts';

/** Short, but longer than a connection may take to end: a timer that is left behind must be seen. */
const TIMINGS = { every: 2_000, alone: 100, patience: 200 };

/** Returns an adapter for the server at a URL, with its key. */
type Connect = (url: string, key: string) => RemoteServer;

class RemoteLab implements EngineLab {
  readonly #connect: Connect;
  readonly #standIn: StandIn;
  readonly #leavesDevices: boolean;
  readonly #folder: string;
  #engine: Engine;
  #isUp = true;
  comparesCodes = false;

  constructor(connect: Connect, standIn: StandIn, leavesDevices: boolean, folder: string) {
    this.#connect = connect;
    this.#standIn = standIn;
    this.#leavesDevices = leavesDevices;
    this.#folder = folder;
    this.#engine = this.#create();
  }

  get engine(): Engine {
    return this.#engine;
  }

  readonly elsewhere = {
    create: (name: string) => this.#do({ do: 'create', name, phone: name }),
    remove: (name: string) => this.#do({ do: 'remove', name }),
  };

  readonly server = {
    goDown: async () => {
      this.#isUp = false;
      await this.#standIn.kill();
    },
    comeBack: async () => {
      await this.#standIn.restart();
      this.#isUp = true;
    },
  };

  async restart(): Promise<void> {
    await this.#engine.close();
    this.#engine = this.#create();
  }

  scan(phone: string, code: string) {
    return this.#do({ do: 'scan', phone, code });
  }

  scanWithOther(numero: string, code: string) {
    return this.#do({ do: 'scan', phone: otherNumero(numero), code });
  }

  scanWithPasskey(phone: string, code: string) {
    return this.#do({ do: 'scanWithPasskey', phone, code, comparesCodes: this.comparesCodes });
  }

  type(phone: string, code: string) {
    return this.#do({ do: 'type', phone, code });
  }

  renewCode(name: string) {
    return this.#do({ do: 'renewCode', name });
  }

  endCodes(name: string) {
    return this.#do({ do: 'endCodes', name });
  }

  logOut(name: string) {
    return this.#do({ do: 'logOut', name });
  }

  loseLine(name: string) {
    return this.#do({ do: 'loseLine', name });
  }

  recoverLine(name: string) {
    return this.#do({ do: 'recoverLine', name });
  }

  async isLinked(numero: string): Promise<boolean> {
    // A device that its server leaves on the phone sends nothing any more.
    if (this.#leavesDevices) return (await this.#standIn.sessions()).some(({ phone }) => phone === numero);
    return (await this.#standIn.devices()).includes(numero);
  }

  async absent(phone: string): Promise<string> {
    await this.#do({ do: 'absent', phone });
    return phone;
  }

  async arrivals(number: string) {
    const messages = await this.#messagesTo(number);
    return messages.map(({ from, text }) => ({ from, text }));
  }

  async acknowledge(number: string, level: 'device' | 'read'): Promise<void> {
    for (const { from, id } of await this.#messagesTo(number)) {
      await this.#do({ do: 'ack', name: from, id, level });
    }
  }

  async stop(name: string, reason: StopAbility): Promise<void> {
    if (reason === 'replaced') throw new Error('these servers do not tell');
    await this.#do({ do: 'stopFor', name, reason });
  }

  /** Leaves a server without sessions for the next test. */
  async close(): Promise<void> {
    await this.#engine.close();
    if (!this.#isUp) await this.server.comeBack();
    for (const { name } of await this.#standIn.sessions()) await this.elsewhere.remove(name);
    await until(async () => (await this.#standIn.sessions()).length === 0, 'the sessions to be gone');
  }

  #do(command: Command): Promise<void> {
    return this.#standIn.command(command);
  }

  async #messagesTo(number: string) {
    return (await this.#standIn.messages()).filter(({ to }) => to === number);
  }

  #create(): Engine {
    const openStore = () => openLedger(this.#folder, () => {});
    const options = { allowDelete: true, held: async () => [], timings: TIMINGS };
    return new RemoteEngine(
      this.#connect(this.#standIn.url, KEY),
      openStore,
      options,
      pino({ enabled: false }),
    );
  }
}

/**
 * Returns what opens labs for an adapter, all with one stand-in, which has no sessions.
 *
 * @param leavesDevices whether the phone goes on listing a device that the server has unlinked
 */
export function remoteLabs(standIn: Promise<StandIn>, connect: Connect, leavesDevices = false): OpenLab {
  return async (scope: Scope) => {
    const lab = new RemoteLab(connect, await standIn, leavesDevices, temporaryFolder());
    scope.after(() => lab.close());
    return lab;
  };
}
