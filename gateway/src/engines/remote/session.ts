import { isTypable } from '../../sessions/codes.ts';
import type { Ack, Delivery, Pairing, Report } from '../../sessions/engine.ts';
import { NotLinked, NotPairable } from '../../sessions/errors.ts';
import { sameNumero } from '../../sessions/numbers.ts';
import { accountName } from '../account-name.ts';
import { RemoteError } from './errors.ts';
import { CHANGES, Pace } from './limits.ts';
import { PairingCode } from './pairing-code.ts';
import { Receipts } from './receipts.ts';
import type { Account, RemoteServer, Status } from './server.ts';
import { eventsBetween, isDown, type Known, tellsNothing } from './transitions.ts';
import { inTurns } from './turns.ts';

/** How long to wait before a code is asked for again, in milliseconds. */
const CODE_RETRY = 2_000;

type Request = 'start' | 'unlink' | 'remove';

/** A session of another server, as it is listed here. */
export class RemoteSession {
  readonly numero: string;
  /** What the server calls it. */
  name: string;
  readonly #server: RemoteServer;
  /** What its server may tell of it. */
  readonly changes = new Pace(CHANGES);
  readonly #receipts = new Receipts();
  readonly #pairing = new PairingCode((pairing) => this.#report({ type: 'pairing', pairing }));
  #report: Report;
  #known: Known;
  #code: string | undefined;
  #account: string | undefined;
  #isLinking = false;
  /** Whether a code was asked for that has not come yet. */
  #isFetching = false;
  #turn = 0;
  #retry: ReturnType<typeof setTimeout> | undefined;
  /** What the server was asked to do, until that is over: on the way, a session may stop and start. */
  #asked: Request | undefined;
  readonly #inTurn = inTurns(1);
  #asking = 0;
  #isClosed = false;

  constructor(server: RemoteServer, name: string, numero: string, report: Report) {
    this.#server = server;
    this.name = name;
    this.numero = numero;
    this.#report = report;
    // What a session that has just been listed looks like.
    this.#known = 'starting';
  }

  /** Changes whenever something new is known. */
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

  /** Whether the server is asked for something now: until then, it may list the session as it was, or not at all. */
  get isAsking(): boolean {
    return this.#asking > 0;
  }

  /** Takes what the server's list says of it: what it was asked to do is over then. */
  listed(status: Status, account: Account): void {
    if (this.isAsking) return;
    this.#asked = undefined;
    if (status !== 'scanning' || this.#known !== 'scanning') this.hear(status, account);
    else void this.#fetchCode();
  }

  /** Takes what the server says of it. */
  hear(status: Known, account: Account = {}): void {
    if (this.#asked === 'unlink' || this.#asked === 'remove') return;
    if (this.#asked === 'start' && isDown(status)) return;
    this.#asked = undefined;
    if (tellsNothing(this.#known, status)) return;
    this.#turn += 1;
    const { digits } = account;
    const name = accountName(account.name);
    if (name !== undefined && name !== this.#account) {
      this.#account = name;
      this.#report({ type: 'name', name });
    }
    const isOther = status === 'connected' && digits !== undefined && !sameNumero(digits, this.numero);
    this.#enter(isOther ? 'other-number' : status, digits);
    if (isOther && this.#isLinking) void this.#expel();
    // Until the server says whose it is, it may be another one.
    if (status === 'connected' && digits !== undefined && !isOther) this.#isLinking = false;
    if (status === 'scanning') void this.#fetchCode();
  }

  /** @param expires until when the code is valid, in milliseconds since 1970, where that is known */
  show(code: string, expires?: number): void {
    if (this.#asked === 'unlink' || this.#asked === 'remove') return;
    this.#turn += 1;
    this.#isLinking = true;
    this.#enter('scanning');
    if (code === this.#code) return;
    this.#code = code;
    this.#report({ type: 'qr', code, ...(expires !== undefined && { expires }) });
  }

  /** Takes the code away that may be over. */
  endCode(): void {
    if (this.#known !== 'scanning') return;
    this.#turn += 1;
    this.#enter('starting');
  }

  /** Starts it anew: its events go to another report from now on. */
  async start(report: Report): Promise<void> {
    const before = this.#known;
    this.#report = report;
    this.#turn += 1;
    this.#known = 'starting';
    this.#isLinking = true;
    this.#code = undefined;
    this.#pairing.end();
    const status = before === 'unknown' || before === 'other-number' ? 'connected' : before;
    try {
      await this.#ask('start', () => this.#server.start(this.name, status));
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
    if (this.#known !== 'connected' && this.#known !== 'other-number') throw new NotLinked();
    await this.#unlink();
    this.#turn += 1;
    this.#known = 'logged-out';
    this.#report({ type: 'disconnected', reason: 'unlinked' });
  }

  async pair(): Promise<Pairing> {
    if (this.#known !== 'scanning' || !this.#server.pair) throw new NotPairable('not-waiting');
    const { usable } = this.#pairing;
    if (usable) return usable;
    this.#isLinking = true;
    const code = await this.#server
      .pair(this.name, this.numero.replace(/\D/g, ''))
      .catch((error: unknown) => {
        throw error instanceof RemoteError ? new NotPairable('no-answer') : error;
      });
    // Kept, one that cannot be shown would be answered again.
    if (code === undefined || !isTypable(code)) throw new NotPairable('refused');
    if (this.#known !== 'scanning' || this.#isClosed) throw new NotPairable('not-waiting');
    return this.#pairing.begin(code);
  }

  async send(to: string, text: string, acked: (ack: Ack) => void): Promise<Delivery> {
    if (this.#known !== 'connected') return this.#known === 'unknown' ? 'no-server' : 'not-connected';
    let mayHaveSent = false;
    try {
      const address = await this.#server.find(this.name, to);
      if (address === undefined) return 'no-whatsapp';
      mayHaveSent = true;
      const sent = await this.#receipts.follow(() => this.#server.send(this.name, address, text), acked);
      return typeof sent === 'string' ? sent : 'sent';
    } catch (error) {
      if (!(error instanceof RemoteError)) throw error;
      return mayHaveSent && error.isUncertain ? 'unconfirmed' : 'no-server';
    }
  }

  acked(id: string, ack: Ack): void {
    this.#receipts.note(id, ack);
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
  }

  #enter(known: Known, digits = ''): void {
    const before = this.#known;
    this.#known = known;
    if (known !== 'scanning') {
      clearTimeout(this.#retry);
      this.#code = undefined;
      this.#pairing.end();
    }
    for (const event of eventsBetween(before, known, digits)) this.#report(event);
  }

  #unlink(): Promise<void> {
    return this.#ask('unlink', async () => {
      if (!(await this.#server.unlink(this.name))) throw new NotLinked();
    });
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
      // It is tried again when the session is listed the next time.
      if (!(error instanceof RemoteError) && !(error instanceof NotLinked)) throw error;
    }
  }

  async #fetchCode(): Promise<void> {
    clearTimeout(this.#retry);
    // What it answers may be older than what was heard since it was asked: it is asked again then.
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
    else if (code !== undefined) this.show(code);
    else this.#retry = setTimeout(() => void this.#fetchCode(), CODE_RETRY);
  }
}
