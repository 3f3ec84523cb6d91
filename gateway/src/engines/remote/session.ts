import { digitsOf, sameNumero } from '../../numbers.ts';
import type { Ack, Delivery, Pairing, Report } from '../../sessions/engine.ts';
import { NotLinked, NotPairable } from '../../sessions/errors.ts';
import { accountName } from '../account-name.ts';
import { RemoteError } from './errors.ts';
import type { Account, Code, Known, RemoteAck, RemoteServer, Status } from './server.ts';
import { PairingCode, Passkey, Receipts, Signs } from './session-parts.ts';
import { eventsBetween, isDown, tellsNothing } from './transitions.ts';
import { inTurns } from './turns.ts';

/** Wait before another request for a code, in milliseconds. */
const CODE_RETRY = 2_000;

/** How long the server may go on listing a removed session, in milliseconds. */
const REMOVAL = 10_000;

/** How long a session that was started here only starts, although it was linked before, in milliseconds. */
const START = 3_000;

/** What a session can be without a word about its phone. */
const OF_ANY: readonly Known[] = ['starting', 'stopped', 'failed', 'unknown'];

type Request = 'start' | 'pair' | 'unlink' | 'remove';

/** A session of another server, as it is listed here. */
export class RemoteSession {
  readonly numero: string;
  /** Its name on the server. */
  name: string;
  readonly #server: RemoteServer;
  readonly #receipts = new Receipts();
  readonly #pairing = new PairingCode((pairing) => this.#report({ type: 'pairing', pairing }));
  readonly passkey: Passkey;
  readonly #signs = new Signs((sign) => this.#report(sign));
  #report: Report;
  #known: Known;
  #code: string | undefined;
  #account: string | undefined;
  #isLinking = false;
  /** Whether a phone was linked, as far as that is known. */
  #isLinked = false;
  #startedAt = Number.NEGATIVE_INFINITY;
  /** Whether a failure means that WhatsApp rejects the credentials: it failed, was started, and did nothing else since. */
  #mayRelink = false;
  /** When the server said that it was removed. */
  #removedAt = Number.NEGATIVE_INFINITY;
  /** Whether a request for a code is still unanswered. */
  #isFetching = false;
  #turn = 0;
  #retry: ReturnType<typeof setTimeout> | undefined;
  /** The pending request to the server: meanwhile, the session may stop and start. */
  #asked: Request | undefined;
  readonly #inTurn = inTurns(1);
  #asking = 0;
  #isClosed = false;

  constructor(server: RemoteServer, name: string, numero: string, report: Report) {
    this.#server = server;
    this.name = name;
    this.numero = numero;
    this.#report = report;
    this.passkey = new Passkey({
      passkeys: server.passkeys,
      name: () => this.name,
      known: () => this.#known,
      done: () => {
        this.#turn += 1;
        this.#enter('signed');
      },
      onCode: (code) => this.#report({ type: 'passkey', passkey: { step: 'confirm', code } }),
    });
    // The initial status of a listed session.
    this.#known = 'starting';
  }

  /** Changes with every new report. */
  get turn(): number {
    return this.#turn;
  }

  get isDown(): boolean {
    return isDown(this.#known);
  }

  /**
   * Whether it was started here or has shown a code, until a phone of its numero is linked: one of another number is
   * unlinked again.
   */
  get isLinking(): boolean {
    return this.#isLinking;
  }

  /**
   * Whether a request to the server is under way: until it ends, the server may list the session as it was, or not at
   * all.
   */
  get isAsking(): boolean {
    return this.#asking > 0;
  }

  /** Whether the server has removed it just now, although it may still report and list it. */
  get isLeaving(): boolean {
    return performance.now() - this.#removedAt < REMOVAL;
  }

  onRemoved(): void {
    this.#removedAt = performance.now();
  }

  /** Takes the status from the server's list, which ends the pending request. */
  onListed(status: Status, account: Account): void {
    if (this.isAsking || (isStep(status) && this.#known === 'signed' && this.passkey.isJustDone)) return;
    this.#asked = undefined;
    if (status !== 'scanning' || this.#known !== 'scanning') this.#take(status, account);
    else void this.#fetchCode();
  }

  /** Takes a status from the server's events. */
  onStatus(status: Known, account: Account = {}): void {
    const before = this.#known;
    this.#take(status, account);
    if (before !== 'connected') this.#onSignal();
  }

  onCode({ code, expires }: Code): void {
    if (this.#ignoresReports) return;
    this.#turn += 1;
    this.#isLinking = true;
    this.#enter('scanning');
    if (code === this.#code) return;
    this.#code = code;
    this.#report({ type: 'qr', code, ...(expires !== undefined && { expires }) });
  }

  /** Restarts it: its events go to another report from now on. */
  async start(report: Report): Promise<void> {
    const before = this.#known;
    this.#mayRelink = before === 'failed';
    this.#report = report;
    this.#turn += 1;
    this.#known = 'starting';
    this.#startedAt = performance.now();
    this.#isLinking = true;
    this.#code = undefined;
    this.#pairing.end();
    try {
      await this.#ask('start', () => this.#server.start(this.name, before));
    } catch (error) {
      // The session manager shows it as disconnected.
      this.#known = 'stopped';
      throw error;
    }
  }

  create(): Promise<void> {
    this.#isLinking = true;
    return this.#ask('start', () => this.#server.create(this.name));
  }

  remove(): Promise<void> {
    return this.#ask('remove', () => this.#server.remove(this.name));
  }

  async unlink(): Promise<void> {
    if (!['connected', 'other-number', 'failed'].includes(this.#known)) throw new NotLinked();
    await this.#unlink();
    this.#turn += 1;
    this.#known = 'logged-out';
    this.#isLinked = false;
    this.#report({ type: 'disconnected', reason: 'unlinked' });
  }

  async pair(): Promise<Pairing> {
    if (this.#known !== 'scanning' || !this.#server.pair) throw new NotPairable('not-waiting');
    const { usable } = this.#pairing;
    if (usable) return usable;
    this.#isLinking = true;
    this.#asked = 'pair';
    this.#asking += 1;
    const code = await this.#server
      .pair(this.name, digitsOf(this.numero))
      .catch((error: unknown) => {
        throw error instanceof RemoteError ? new NotPairable('no-answer') : error;
      })
      .finally(() => {
        this.#asking -= 1;
        if (this.#asked === 'pair') this.#asked = undefined;
      });
    if (code === undefined) throw new NotPairable('refused');
    if (this.#known !== 'scanning' || this.#isClosed) throw new NotPairable('not-waiting');
    return this.#pairing.begin(code);
  }

  /**
   * Asks WhatsApp for something that changes nothing. Resolves with whether there was an answer, and with undefined when
   * the server itself fails: that is no finding about the session, which is then reported as `no-server`.
   */
  async probe(): Promise<boolean | undefined> {
    const digits = digitsOf(this.numero);
    try {
      if (this.#server.probe) await this.#server.probe(this.name, digits);
      else await this.#server.find(this.name, digits);
      this.#onSignal();
      return true;
    } catch (error) {
      if (!(error instanceof RemoteError)) throw error;
      return error.isOfSession ? false : undefined;
    }
  }

  async send(to: string, text: string, acked: (ack: Ack) => void): Promise<Delivery> {
    if (this.#known !== 'connected') return this.#known === 'unknown' ? 'no-server' : 'not-connected';
    let mayHaveSent = false;
    try {
      const address = await this.#server.find(this.name, to);
      if (!this.#server.probe) this.#onSignal();
      if (address === undefined) return 'no-whatsapp';
      mayHaveSent = true;
      const sent = await this.#receipts.follow(() => this.#server.send(this.name, address, text), acked);
      return typeof sent === 'string' ? sent : 'sent';
    } catch (error) {
      if (!(error instanceof RemoteError)) throw error;
      return mayHaveSent && error.isUncertain ? 'unconfirmed' : 'no-server';
    }
  }

  onAck(id: string, ack: RemoteAck): void {
    // The server may have failed by itself.
    if (ack !== 'failed') this.#onSignal();
    if (ack !== 'server') this.#receipts.note(id, ack);
  }

  /** It is no longer on the server. */
  gone(): void {
    this.close();
    this.#report({ type: 'removed' });
  }

  /** Ends what is under way. */
  close(): void {
    this.#isClosed = true;
    this.#turn += 1;
    clearTimeout(this.#retry);
    this.#pairing.close();
    this.passkey.close();
  }

  /** Whether nothing that the server reports counts. */
  get #ignoresReports(): boolean {
    return this.#asked === 'unlink' || this.#asked === 'remove' || this.isLeaving;
  }

  #take(told: Known, account: Account): void {
    const status = this.#meant(told);
    if (this.#ignoresReports || (this.#asked && isDown(status))) return;
    if (this.#asked !== 'pair') this.#asked = undefined;
    if (status === 'failed' && this.#mayRelink) return void this.#relink();
    if (tellsNothing(this.#known, status)) return;
    this.#turn += 1;
    const { digits } = account;
    const name = accountName(account.name);
    if (name !== undefined && name !== this.#account) {
      this.#account = name;
      this.#report({ type: 'name', name });
    }
    const isOther = status === 'connected' && digits !== undefined && !sameNumero(digits, this.numero);
    const isNew = this.#known !== 'connected';
    const known = this.#known;
    this.#enter(isOther ? 'other-number' : status, digits);
    if (this.#known === 'connected') this.#signs.note(account, isNew);
    if (isOther && this.#isLinking) void this.#expel();
    // Until the server reports the linked number, it may be another one.
    if (status === 'connected' && digits !== undefined && !isOther) this.#isLinking = false;
    if (status === 'scanning') void this.#fetchCode();
    if (status === 'confirm' && known !== 'confirm') void this.passkey.fetchCode();
  }

  /** Tells a linked session that connects again from one that was started here. */
  #meant(status: Known): Known {
    const isStart = this.#known === 'starting';
    if (status === 'starting') return this.#isLinked && !isStart ? 'reconnecting' : status;
    const isNew = isStart && performance.now() - this.#startedAt < START;
    return status === 'reconnecting' && isNew ? 'starting' : status;
  }

  /** WhatsApp has sent something for it. */
  #onSignal(): void {
    if (this.#known === 'connected' && !this.#isClosed) this.#signs.signal();
  }

  #enter(known: Known, digits = ''): void {
    const before = this.#known;
    this.#known = known;
    if (known !== 'starting') this.#mayRelink = false;
    if (known !== 'confirm') this.passkey.close();
    if (known !== 'scanning') {
      clearTimeout(this.#retry);
      this.#code = undefined;
      this.#pairing.end();
    }
    const wasLinked = this.#isLinked;
    if (!OF_ANY.includes(known)) this.#isLinked = known === 'connected' || known === 'reconnecting';
    for (const event of eventsBetween(before, known, digits, wasLinked)) this.#report(event);
  }

  #unlink(): Promise<void> {
    return this.#ask('unlink', async () => {
      if (!(await this.#server.unlink(this.name))) throw new NotLinked();
    });
  }

  /** Has the server erase credentials that WhatsApp rejects: it would try them again with every start. */
  async #relink(): Promise<void> {
    this.#mayRelink = false;
    this.#turn += 1;
    this.#report({ type: 'delayed', reason: 'relinking' });
    try {
      await this.#ask('start', async () => this.#server.relink?.(this.name));
    } catch (error) {
      if (!(error instanceof RemoteError)) throw error;
      this.#enter('failed');
    }
  }

  async #ask(asked: Request, request: () => Promise<void>): Promise<void> {
    this.#asking += 1;
    try {
      await this.#inTurn(async () => {
        this.#asked = asked;
        await request();
      });
    } catch (error) {
      this.#asked = undefined;
      throw error;
    } finally {
      this.#asking -= 1;
    }
  }

  /** Unlinks the phone of another number, which scanned a code here. */
  async #expel(): Promise<void> {
    try {
      await this.#unlink();
    } catch (error) {
      // The next list triggers another attempt.
      if (!(error instanceof RemoteError) && !(error instanceof NotLinked)) throw error;
    }
  }

  async #fetchCode(): Promise<void> {
    clearTimeout(this.#retry);
    // The answer may be older than reports since the request: the code is then requested again.
    if (!this.#server.code || this.#isFetching) return;
    const turn = this.#turn;
    this.#isFetching = true;
    const code = await this.#server
      .code(this.name)
      .catch((error: unknown) => {
        if (!(error instanceof RemoteError)) throw error;
      })
      .finally(() => {
        this.#isFetching = false;
      });
    if (this.#known !== 'scanning' || this.#isClosed) return;
    if (this.#turn !== turn) await this.#fetchCode();
    else if (code) this.onCode(code);
    else this.#retry = setTimeout(() => void this.#fetchCode(), CODE_RETRY);
  }
}

function isStep(status: Status): boolean {
  return status === 'sign' || status === 'confirm';
}
