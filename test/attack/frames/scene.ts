import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { inline } from '../../../gateway/test/support/built.ts';
import { address, type Run, run } from '../../../gateway/test/support/command.ts';
import { call, Listener, message, sessionOf } from '../../../gateway/test/support/gateway.ts';
import type { Moment, ServerConnection } from '../../../gateway/test/whatsapp/fake/connection.ts';
import { node } from '../../../gateway/test/whatsapp/fake/nodes.ts';
import { type FakeWhatsapp, startFakeWhatsapp } from '../../../gateway/test/whatsapp/fake/whatsapp.ts';
import { STATES, type WireSession } from '../../../src/wire.ts';
import type { Scope } from '../../support/scope.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { until } from '../../support/until.ts';
import type { Random } from '../random.ts';
import { ODD_CIPHERTEXTS } from './ciphertexts.ts';
import { ODD_CONTENTS } from './contents.ts';
import { ODD_HELLOS } from './hellos.ts';
import { ODD_MESSAGES } from './messages.ts';
import type { OddFrame } from './odd-frame.ts';
import { ODD_STANZAS } from './stanzas.ts';

/** How long a connection may take to break before the next frame, in milliseconds. */
const PAUSE = 100;
const RECIPIENT = 34700000000;

const BEFORE_LOGIN: readonly Moment[] = ['opened', 'hello', 'introduced'];
const UNENCRYPTED = [ODD_HELLOS, ODD_MESSAGES];
const ENCRYPTED = [ODD_MESSAGES, ODD_CIPHERTEXTS, ODD_CONTENTS, ODD_STANZAS];

/** Makes the command print its peak memory, in KB, when it ends. */
const MEASURE = `process.on('exit', () => console.error('memory', process.resourceUsage().maxRSS))`;

/** Starts the gateway's command with a fake WhatsApp to attack it from, and a panel that watches. */
export async function startScene(scope: Scope, random: Random): Promise<Scene> {
  const folder = temporaryFolder();
  const whatsapp = await startFakeWhatsapp({ preKeys: 100 });
  const options = ['--engine', 'whatsapp', '--data', folder, '--whatsapp-url', whatsapp.url];
  const gateway = run(scope, ['--port', '0', ...options], { imports: inline(MEASURE) });
  scope.after(async () => {
    await gateway.ended;
    await whatsapp.close();
  });
  const url = await address(gateway);
  const panel = await Listener.connect(scope, { url });
  return new Scene(random, whatsapp, gateway, url, panel);
}

/** Sends odd frames. Each attack rejects when the process ends, or when a connection is dead but looks open. */
class Scene {
  readonly whatsapp: FakeWhatsapp;
  readonly gateway: Run;
  readonly panel: Listener;
  readonly #random: Random;
  readonly #url: string;
  /** The connection that was opened last. */
  #newest: ServerConnection | undefined;
  frames = 0;
  /** How many frames ended their connection. */
  ended = 0;

  constructor(random: Random, whatsapp: FakeWhatsapp, gateway: Run, url: string, panel: Listener) {
    this.#random = random;
    this.whatsapp = whatsapp;
    this.gateway = gateway;
    this.#url = url;
    this.panel = panel;
    this.#stepIn(() => false);
  }

  /** Starts or restarts a session. Waits for a pending start, which another one would only join. */
  async start(numero: string): Promise<void> {
    await until(async () => {
      const { state, qrCode } = (await this.#session(numero)) ?? {};
      return qrCode !== undefined || state !== STATES.authenticating;
    }, `the start of ${numero} to be over`);
    assert.equal((await call({ url: this.#url }, `/api/session/levanta/${numero}`)).status, 200);
  }

  async link(numero: string): Promise<void> {
    await this.start(numero);
    await this.whatsapp.phone(numero).scan(await this.#code(numero));
    await this.panel.heard(`session:ready:${numero}`);
  }

  async connected(numero: string): Promise<void> {
    await until(async () => (await this.#session(numero))?.state === STATES.connected, `${numero} connected`);
  }

  /** Sends a text, and returns the status of the answer. */
  async send(numero: string): Promise<number> {
    const body = message(numero, [RECIPIENT]);
    return (await call({ url: this.#url }, '/api/message', { method: 'POST', body })).status;
  }

  /** Attacks an open connection, which then either ends or still answers. */
  async attackOpen(numero: string): Promise<void> {
    const connection = await this.#connectionOf(numero);
    await this.#settle(numero, this.#sendOdd(ENCRYPTED, connection), connection);
  }

  /** Attacks while a message is being sent. */
  async attackSending(numero: string): Promise<void> {
    await this.connected(numero);
    const connection = await this.#connectionOf(numero);
    const sent = this.send(numero);
    await sleep(this.#random.integer(0, 30));
    const odd = this.#sendOdd(ENCRYPTED, connection);
    await this.#settle(numero, odd, connection);
    const status = await sent;
    assert.ok([200, 409, 502, 504].includes(status), `${status} after ${odd.name}`);
  }

  /** Attacks a connection that is being opened, before what WhatsApp sends then, or in its place. */
  async attackOpening(numero: string): Promise<void> {
    const [odd, connection] = await this.#attackAt(this.#random.pick(BEFORE_LOGIN), () => this.start(numero));
    await this.#wait(odd, connection);
  }

  /** Attacks while a code is shown. */
  async attackCode(numero: string): Promise<void> {
    await this.start(numero);
    await this.#code(numero);
    const connection = this.#newest ?? assert.fail('no connection');
    const odd = this.#sendOdd(ENCRYPTED, connection);
    await this.#wait(odd, connection);
    assert.notEqual((await this.#session(numero))?.state, STATES.connected, odd.name);
  }

  /**
   * Attacks between scan and restart, or in the restart's place. The session gets linked all the same; then it is
   * deleted.
   */
  async attackSigned(numero: string): Promise<void> {
    await this.start(numero);
    const code = await this.#code(numero);
    const { registrations } = this.whatsapp;
    const [odd, connection] = await this.#attackAt('signed', () => this.whatsapp.phone(numero).scan(code));
    await this.#wait(odd, connection);
    await this.start(numero);
    await this.connected(numero);
    assert.equal(this.whatsapp.registrations, registrations, odd.name);
    await call({ url: this.#url }, `/api/session/${numero}`, { method: 'DELETE' });
  }

  /** Asserts that a session reconnects by itself. */
  async recover(numero: string): Promise<void> {
    await this.connected(numero);
    const { logins } = this.whatsapp.phone(numero);
    const connection = await this.#connectionOf(numero);
    connection.transmit(Buffer.from([0, 0, 0]));
    await until(() => this.whatsapp.phone(numero).logins > logins, 'the line to come back');
    await this.connected(numero);
  }

  /** Ends the process as its operator does, and returns its peak memory, in MB. */
  async end(): Promise<number> {
    this.gateway.child.kill('SIGTERM');
    assert.equal(await this.gateway.ended, 0);
    const [, kilobytes] = /^memory (\d+)$/m.exec(this.gateway.output.stderr) ?? [];
    return Number(kilobytes) / 1024;
  }

  #sendOdd(kinds: readonly (readonly OddFrame[])[], connection: ServerConnection): OddFrame {
    const odd = this.#random.pick(this.#random.pick(kinds));
    odd.send(connection, this.#random);
    this.frames += 1;
    return odd;
  }

  /** Runs `act` and, at the next such moment, sends an odd frame; returns the frame and its connection. */
  async #attackAt(moment: Moment, act: () => Promise<void>): Promise<[OddFrame, ServerConnection]> {
    const instead = this.#random.chance(0.5);
    const encrypted = moment === 'introduced' || moment === 'signed';
    let sent: [OddFrame, ServerConnection] | undefined;
    this.#stepIn((reached, connection) => {
      if (reached !== moment || sent) return false;
      sent = [this.#sendOdd(encrypted ? ENCRYPTED : UNENCRYPTED, connection), connection];
      return instead;
    });
    await act();
    return until(() => sent, `a client that comes to '${moment}'`);
  }

  #stepIn(stepIn: (moment: Moment, connection: ServerConnection) => boolean): void {
    this.whatsapp.stepIn = (moment, connection) => {
      this.#newest = connection;
      return stepIn(moment, connection);
    };
  }

  /** Waits until the connection ends or answers. If it ends, restarts the session, without waiting for a back-off. */
  async #settle(numero: string, odd: OddFrame, connection: ServerConnection): Promise<void> {
    const { logins } = this.whatsapp.phone(numero);
    const goesOn = !odd.unfinished && (await this.#answers(odd, connection));
    this.#isAlive(odd);
    if (goesOn) return;
    this.ended += 1;
    connection.cut();
    await this.start(numero);
    await until(() => this.whatsapp.phone(numero).logins > logins, `a login after ${odd.name}`);
    // The next frame is sent during the login, or after it.
    if (this.#random.chance(0.5)) await this.connected(numero);
  }

  /** Whether the client answers on the connection; false once it has ended. */
  async #answers(odd: OddFrame, connection: ServerConnection): Promise<boolean> {
    let answered = false;
    await until(async () => {
      const answer = connection.query(node('call', { from: `${RECIPIENT}@s.whatsapp.net` })).then(
        () => true,
        () => false,
      );
      answered = await Promise.race([answer, sleep(PAUSE, false)]);
      return answered || !connection.isOpen;
    }, `the line to end or to answer after ${odd.name}`);
    return answered;
  }

  /** Waits a little, and cuts the connection if it has not ended by then. */
  async #wait(odd: OddFrame, connection: ServerConnection): Promise<void> {
    const end = performance.now() + PAUSE;
    while (connection.isOpen && performance.now() < end) await sleep(5);
    this.#isAlive(odd);
    if (!connection.isOpen) this.ended += 1;
    connection.cut();
  }

  #isAlive(odd: OddFrame): void {
    const { child, output } = this.gateway;
    assert.equal(child.exitCode, null, `after ${odd.name}: ${output.stderr}`);
  }

  #connectionOf(numero: string): Promise<ServerConnection> {
    return until(() => this.whatsapp.phone(numero).devices[0]?.connection, `a line of ${numero}`);
  }

  #code(numero: string): Promise<string> {
    return until(async () => (await this.#session(numero))?.qrCode, `a code for ${numero}`);
  }

  #session(numero: string): Promise<WireSession | undefined> {
    return sessionOf({ url: this.#url }, numero);
  }
}
