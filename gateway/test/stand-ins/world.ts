import { randomBytes } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';

/** What a session of a stand-in does, in no server's words. */
export type Phase =
  | 'stopped'
  | 'starting'
  | 'scanning'
  | 'connected'
  /** Its line to WhatsApp is lost, and it logs in again. */
  | 'offline'
  /** Nobody scanned any of its codes. */
  | 'expired'
  | 'logged-out'
  | 'restricted'
  /** The account requires a passkey, which has not signed. */
  | 'passkey'
  /** It has, and the phone shows a code to compare. */
  | 'confirm';

/** In milliseconds. */
interface Times {
  /** From a start to the first code, or to the connection. */
  readonly start: number;
  /** How long each code is valid. */
  readonly code: number;
  readonly codes: number;
}

export const TIMES: Times = { start: 50, code: 45_000, codes: 6 };

export interface StandInMessage {
  readonly from: string;
  readonly to: string;
  readonly text: string;
  readonly id: string;
}

export type AckLevel = 'server' | 'device' | 'read' | 'failed';

/** Hears of everything that happens to the sessions of a server. */
export interface Listener {
  phase(session: StandInSession, before: Phase): void;
  code(session: StandInSession): void;
  ack(session: StandInSession, id: string, level: AckLevel): void;
  /** Absent if the server does not tell. */
  limited?(session: StandInSession): void;
}

/** WhatsApp and its phones, as far as a server's API shows them. */
export class World {
  readonly sessions = new Map<string, StandInSession>();
  readonly messages: StandInMessage[] = [];
  /** Numbers that do not use WhatsApp. */
  readonly absent = new Set<string>();
  /** Phones that list a linked device. */
  readonly devices = new Set<string>();
  /** Whether a phone goes on listing a device whose credentials the server has erased. */
  leavesDevices = false;
  /** Whether WhatsApp cannot be reached. */
  isOut = false;
  readonly #file: string | undefined;
  readonly #times: Times;
  readonly #listener: Listener;

  /** @param file where the sessions outlive the process */
  constructor(listener: Listener, file?: string, times: Times = TIMES) {
    this.#file = file;
    this.#times = times;
    this.#listener = {
      ...listener,
      phase: (session, before) => {
        this.#save();
        listener.phase(session, before);
      },
    };
  }

  /** Starts the sessions of an earlier process that were linked; the others are stopped. */
  restore(): void {
    for (const { name, phone, isRejected } of this.#saved()) {
      const session = this.create(name, phone);
      session.isRejected = isRejected;
      if (phone !== undefined) session.start();
    }
  }

  create(name: string, phone?: string): StandInSession {
    const session = new StandInSession(name, this.#times, this.#listener, () => this.isOut);
    session.phone = phone;
    if (phone !== undefined) this.devices.add(phone);
    this.sessions.set(name, session);
    return session;
  }

  remove(name: string): boolean {
    const session = this.sessions.get(name);
    session?.end();
    if (session?.phone !== undefined && !this.leavesDevices) this.devices.delete(session.phone);
    const isRemoved = this.sessions.delete(name);
    this.#save();
    return isRemoved;
  }

  /** The phone of a number scans a code; refused unless a session shows it now. */
  scan(phone: string, code: string): void {
    const session = [...this.sessions.values()].find((one) => one.code === code);
    if (!session) throw new Error('no session shows that code');
    this.#link(session, phone);
  }

  /** Like `scan`, with an account that requires a passkey. */
  scanWithPasskey(phone: string, code: string, comparesCodes: boolean): void {
    const session = [...this.sessions.values()].find((one) => one.code === code);
    if (!session) throw new Error('no session shows that code');
    session.askPasskey(phone, comparesCodes);
  }

  /** Goes on with a passkey; says whether the session waited for that. */
  goOn(session: StandInSession | undefined, from: 'passkey' | 'confirm'): boolean {
    if (session?.phase !== from || session.asking === undefined) return false;
    if (from === 'passkey' && session.comparesCodes) session.showConfirmation();
    else this.#link(session, session.asking);
    return true;
  }

  /** The phone of a number takes a code to type; refused unless a session has given it, and still waits. */
  type(phone: string, code: string): void {
    const session = [...this.sessions.values()].find(({ pairingCode }) => pairingCode === code);
    if (!session) throw new Error('no session has given that code');
    this.#link(session, phone);
  }

  /** The owner of the phone removes the device. */
  logOut(session: StandInSession): void {
    if (session.phone !== undefined) this.devices.delete(session.phone);
    session.logOut();
  }

  /** The server forgets the credentials of a session. */
  unlink(session: StandInSession): void {
    if (!this.leavesDevices) this.logOut(session);
    else session.logOut();
    session.isRejected = false;
  }

  send(session: StandInSession, to: string, text: string): string {
    const id = `3EB0${randomBytes(8).toString('hex').toUpperCase()}`;
    this.messages.push({ from: session.phone ?? '', to, text, id });
    return id;
  }

  #link(session: StandInSession, phone: string): void {
    this.devices.add(phone);
    session.link(phone);
  }

  #saved(): { name: string; phone?: string; isRejected: boolean }[] {
    try {
      return this.#file === undefined ? [] : JSON.parse(readFileSync(this.#file, 'utf8'));
    } catch {
      // The first process of this world.
      return [];
    }
  }

  #save(): void {
    const saved = [...this.sessions.values()].map(({ name, phone, isRejected }) => ({
      name,
      phone,
      isRejected,
    }));
    if (this.#file === undefined) return;
    // A test may kill the process at any time, and the next one must not find half a file.
    writeFileSync(`${this.#file}.new`, JSON.stringify(saved));
    renameSync(`${this.#file}.new`, this.#file);
  }
}

export function newCode(): string {
  return `2@${randomBytes(40).toString('base64')},${randomBytes(24).toString('base64')}`;
}

export class StandInSession {
  readonly name: string;
  /** The digits of the linked phone. */
  phone: string | undefined;
  /** Whether its server keeps credentials that WhatsApp rejects. */
  isRejected = false;
  phase: Phase = 'stopped';
  /** Until when WhatsApp restricts the account, in milliseconds since 1970. */
  limitedUntil: number | undefined;
  code: string | undefined;
  /** The phone whose account requires a passkey. */
  asking: string | undefined;
  /** Whether codes are compared once that has signed. */
  comparesCodes = false;
  pairingCode: string | undefined;
  readonly #times: Times;
  readonly #listener: Listener;
  readonly #isOut: () => boolean;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #shown = 0;

  constructor(name: string, times: Times, listener: Listener, isOut: () => boolean) {
    this.name = name;
    this.#times = times;
    this.#listener = listener;
    this.#isOut = isOut;
  }

  start(): void {
    this.#shown = 0;
    this.#enter(this.#isOut() ? 'offline' : 'starting');
    if (this.phase === 'offline') return;
    this.#after(this.#times.start, () => {
      if (this.isRejected) this.#enter('logged-out');
      else if (this.phone === undefined) this.#showCode();
      else this.#enter('connected');
    });
  }

  stop(): void {
    this.#enter('stopped');
  }

  /** A phone scans its code, or types its pairing code. */
  link(phone: string): void {
    this.phone = phone;
    this.#enter('starting');
    this.#after(this.#times.start, () => this.#enter('connected'));
  }

  askPasskey(phone: string, comparesCodes: boolean): void {
    this.asking = phone;
    this.comparesCodes = comparesCodes;
    this.#enter('passkey');
  }

  showConfirmation(): void {
    this.#enter('confirm');
  }

  logOut(): void {
    this.phone = undefined;
    this.#enter('logged-out');
  }

  /** The code that it shows is over, and the next one follows. */
  renewCode(): void {
    if (this.phase === 'scanning') this.#showCode();
  }

  /** All its codes are over. */
  endCodes(): void {
    this.#shown = this.#times.codes;
    this.renewCode();
  }

  loseLine(): void {
    this.#enter('offline');
  }

  recoverLine(): void {
    this.#enter('connected');
  }

  stopFor(reason: 'restricted' | 'passkey'): void {
    this.#enter(reason);
  }

  pair(): string | undefined {
    if (this.phase !== 'scanning') return undefined;
    const letters = 'ABCDEFGHJKLMNPQRSTVWXYZ123456789';
    this.pairingCode = Array.from(randomBytes(8), (byte) => letters[byte % letters.length]).join('');
    return this.pairingCode;
  }

  end(): void {
    clearTimeout(this.#timer);
  }

  /** Shows a code, and then others. */
  show(code: string): void {
    this.code = code;
    if (this.phase !== 'scanning') this.#enter('scanning', code);
    this.#listener.code(this);
    this.#after(this.#times.code, () => this.#showCode());
  }

  #showCode(): void {
    if (this.#shown === this.#times.codes) {
      this.#enter('expired');
      return;
    }
    this.#shown += 1;
    this.show(newCode());
  }

  #enter(phase: Phase, code?: string): void {
    clearTimeout(this.#timer);
    const before = this.phase;
    this.phase = phase;
    this.code = code;
    if (code === undefined) this.pairingCode = undefined;
    this.#listener.phase(this, before);
  }

  #after(milliseconds: number, task: () => void): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(task, milliseconds);
  }
}
