import assert from 'node:assert/strict';
import type { ElementHandle } from 'puppeteer-core';
import type { Scope } from '../support/scope.ts';
import { until } from '../support/until.ts';
import type { Attack } from './attack.ts';
import { Host } from './inputs/host.ts';
import { anyCode, anyFlood, anyList, anyPush, numerosOf } from './inputs/odd-lists.ts';
import { anyText } from './inputs/odd-texts.ts';
import { oddValue } from './inputs/odd-values.ts';
import { textIn, Victim, type Way } from './inputs/victim.ts';
import type { Random } from './random.ts';

/** Always listed: enough for the panel to show its search. */
const NUMEROS = Array.from({ length: 10 }, (_, index) => `52155500${10_000 + index}`);
const SOUND = NUMEROS.map((numero) => ({ numero, state: 'CONNECTED', waiting: false }));
/** How many inputs of each kind a round makes. */
const EARLY_VALUES = 6;
const ACTIONS = 24;
const VALUES = 30;
const MOST_LENGTH = 13;
const LEAST_LENGTH = 10;

/** Milliseconds for which a flood may keep the page from answering: a promise of one second, on a slow machine. */
const LONGEST_PAUSE = 3_000;

const MESSAGE = '.test-message input';
const NUMBER = '.test-message label + input:nth-of-type(2)';

/** An operator who does everything wrong. */
class Trial {
  readonly #host: Host;
  readonly #victim: Victim;
  readonly #random: Random;
  /** What was typed on cards, by the field's selector and the numero. */
  readonly #typed = new Map<string, { selector: string; numero: string; value: string }>();
  inputs = 0;

  private constructor(host: Host, victim: Victim, random: Random) {
    this.#host = host;
    this.#victim = victim;
    this.#random = random;
  }

  static async begin(scope: Scope, random: Random): Promise<Trial> {
    const host = await Host.open(scope, SOUND);
    return new Trial(host, await Victim.open(scope, host.origin), random);
  }

  /** The element as a page may set it up before it is defined. */
  async setUp(): Promise<void> {
    for (let count = 0; count < EARLY_VALUES; count += 1) await this.#set();
    await this.#victim.load();
    await this.#heal();
  }

  async act(): Promise<void> {
    const actions = [
      this.#message,
      this.#message,
      this.#add,
      this.#search,
      this.#list,
      this.#push,
      this.#code,
    ];
    for (let count = 0; count < ACTIONS; count += 1) {
      await this.#random.pick(actions).call(this);
      this.inputs += 1;
    }
    for (const { selector, numero, value } of this.#typed.values()) {
      assert.equal(await textIn(await this.#victim.find<'input'>(selector, numero)), value);
    }
    await this.#victim.check();
  }

  async setAnything(): Promise<void> {
    for (let count = 0; count < VALUES; count += 1) await this.#set();
    await this.#heal();
    await this.#victim.check();
  }

  /** Asserts that a start still reaches the server. */
  async start(): Promise<void> {
    const numero = this.#random.pick(NUMEROS);
    const before = this.#host.starts.length;
    // By keyboard: notices may cover it.
    await (await this.#victim.find('.actions button', numero)).press('Enter');
    await until(() => this.#host.starts.slice(before).includes(numero), `the start of ${numero}`);
    await this.#victim.check();
  }

  async #set(): Promise<void> {
    await this.#victim.set(oddValue(this.#random));
    this.inputs += 1;
  }

  async #heal(): Promise<void> {
    await this.#victim.heal();
    this.#host.list = SOUND;
    await this.#listed(NUMEROS);
    await until(() => this.#host.listeners === 1, 'the panel to hear the server');
  }

  async #listed(numeros: readonly string[]): Promise<void> {
    await until(async () => {
      // More than once: a start may be answered after a list.
      await this.#victim.refresh();
      // In any order: cards do not move under the operator's hand.
      assert.deepEqual((await this.#victim.numeros()).sort(), numeros.toSorted());
      return true;
    }, 'the list');
  }

  async #message(): Promise<void> {
    const numero = this.#random.pick(NUMEROS);
    const { value: text } = await this.#field(MESSAGE, numero);
    const { value: to, element } = await this.#field(NUMBER, numero);
    const before = this.#host.messages.length;
    await element.press('Enter');
    const ending = await this.#victim.find('.ending', numero);
    const told = () => ending.evaluate(({ textContent }) => textContent);
    await until(async () => (await told()) !== '', 'the end of a message');
    const sent = this.#host.messages.slice(before).find(({ remitente }) => remitente === numero);
    if (sent) {
      assert.equal(sent.mensaje.cuerpo, text);
      assert.deepEqual(sent.mensaje.contactos, [Number(to.replace(/\D/g, ''))], to);
    } else assert.match(await told(), /El número de destino no es válido/, `of '${to}'`);
    assert.equal(await textIn(await this.#victim.find<'input'>(MESSAGE, numero)), text);
    assert.equal(await textIn(await this.#victim.find<'input'>(NUMBER, numero)), to);
  }

  /** Fills in a field of a card. */
  async #field(selector: string, numero: string) {
    const element = await this.#victim.find<'input'>(selector, numero);
    const value = await this.#put(element);
    this.#typed.set(selector + numero, { selector, numero, value });
    return { element, value };
  }

  /** Asserts that nothing of a text is lost but line ends. */
  async #put(field: ElementHandle<HTMLInputElement>): Promise<string> {
    const text = anyText(this.#random);
    const value = await this.#victim.put(field, text, this.#way());
    assert.equal(seen(value), seen(text));
    return value;
  }

  async #add(): Promise<void> {
    await (await this.#victim.find('header button')).evaluate((button) => button.click());
    const field = await this.#victim.find<'input'>('dialog input');
    const text = anyText(this.#random);
    const value = await this.#victim.put(field, text, this.#way());
    assert.ok(value.length <= MOST_LENGTH, value);
    const advice = await this.#victim.find('dialog .numero-advice');
    const said = () => advice.evaluate(({ textContent }) => textContent);
    // Text that does not fit is reported; of a number pasted with other text, only the number counts.
    const lost = seen(text).length > seen(value).length && !/\d/.test(text);
    if (lost && value !== '')
      await until(async () => /No caben más/.test(await said()), `the notice about ${text}`);
    const before = this.#host.starts.length;
    await field.press('Enter');
    if (value.length >= LEAST_LENGTH) {
      const taken = () => this.#host.starts.slice(before).includes(value);
      const refused = async () => (await said()).includes('No se pudo levantar');
      await until(async () => taken() || (await refused()), `a word on ${JSON.stringify(value)}`);
      if (!taken()) assert.equal(await textIn(field), value);
    } else assert.equal(this.#host.starts.length, before);
    if (await this.#victim.has('dialog')) await field.evaluate(cancel).catch(() => {});
    await until(async () => !(await this.#victim.has('dialog')), 'the dialog to be closed');
  }

  async #search(): Promise<void> {
    const field = await this.#victim.find<'input'>('input[type="search"]');
    const value = await this.#put(field);
    this.#host.push(...anyPush(this.#random, NUMEROS));
    await this.#victim.find('.bar-results');
    assert.equal(await textIn(field), value);
    await this.#victim.put(field, '', 'typed');
  }

  async #list(): Promise<void> {
    this.#host.list = anyList(this.#random, NUMEROS);
    await this.#listed(numerosOf(this.#host.list));
  }

  async #push(): Promise<void> {
    for (let count = this.#random.integer(1, 5); count > 0; count -= 1) {
      this.#host.push(...anyPush(this.#random, NUMEROS));
    }
  }

  /** Asserts that the page answers in a flood, and shows what comes after it. */
  async flood(): Promise<void> {
    const flood = anyFlood(this.#random, NUMEROS);
    const [numero = ''] = NUMEROS;
    const pause = await this.#victim.longestPause(async () => {
      for (const push of flood) this.#host.push(...push);
      // The panel may have left the connection, and be about to join again.
      await until(async () => {
        this.#host.push('session:change_state', { numero, state: 'TRAS LA CRECIDA' });
        return (await this.#victim.text()).includes('TRAS LA CRECIDA');
      }, 'what follows a flood');
    });
    this.inputs += flood.length;
    assert.ok(pause < LONGEST_PAUSE, `${flood[1]}: no answer for ${Math.round(pause)} ms`);
    await this.#heal();
    await this.#victim.check();
  }

  /** Asserts that a code is drawn or reported as invalid, on the card and at full size. */
  async #code(): Promise<void> {
    const numero = this.#random.pick(NUMEROS);
    const code = anyCode(this.#random);
    this.#host.push(`session:disconnected:${numero}`);
    this.#host.push(`session:qr:${numero}`, code);
    if (typeof code !== 'string' || code === '') return;
    await this.#victim.find('.qr :is(svg[role="img"], [role="alert"])', numero);
    await (await this.#victim.find('.enlarge', numero)).evaluate((button) => (button as HTMLElement).click());
    await this.#victim.find('dialog .qr :is(svg[role="img"], [role="alert"])');
    await (await this.#victim.find('dialog .dialog-title button')).evaluate((button) => button.click());
    await until(async () => !(await this.#victim.has('dialog')), 'the dialog to be closed');
  }

  #way(): Way {
    return this.#random.pick(['typed', 'pasted']);
  }
}

/** Returns a text without what fields and browser drivers treat in their own ways. */
function seen(text: string): string {
  return text.toWellFormed().replace(/[\s\p{Cc}\ufffd]/gu, '');
}

function cancel(field: HTMLInputElement): void {
  field.closest('dialog')?.querySelector<HTMLElement>('.dialog-buttons button')?.click();
}

export const inputs: Attack = {
  name: 'inputs',
  promise: 'no input of an operator, a page or a server breaks the panel, becomes markup or is lost',
  async round(scope, random) {
    const trial = await Trial.begin(scope, random);
    await trial.setUp();
    await trial.act();
    await trial.setAnything();
    await trial.flood();
    await trial.start();
    return { inputs: trial.inputs };
  },
};
