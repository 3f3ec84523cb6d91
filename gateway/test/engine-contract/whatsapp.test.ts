import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { pino } from 'pino';
import type { Scope } from '../../../test/support/scope.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { otherNumero } from '../../src/engines/simulated/endings.ts';
import { WhatsappEngine } from '../../src/engines/whatsapp/engine.ts';
import { openLedger } from '../../src/ledger/sqlite.ts';
import type { Engine } from '../../src/sessions/engine.ts';
import { type FakeWhatsapp, startFakeWhatsapp } from '../whatsapp/fake/whatsapp.ts';
import { TIMINGS } from '../whatsapp/support/engine-lab.ts';
import { engineContract } from './contract.ts';
import type { Arrival, EngineLab, StopAbility } from './lab.ts';

let whatsapp: FakeWhatsapp;

before(async () => {
  whatsapp = await startFakeWhatsapp({ preKeys: 100 });
});
after(async () => {
  await whatsapp.close();
  assert.deepEqual(whatsapp.errors, []);
});

class WhatsappLab implements EngineLab {
  readonly #folder: string;
  #engine: Engine;
  #isUp = true;
  comparesCodes = false;

  constructor(folder: string) {
    this.#folder = folder;
    this.#engine = this.#create();
  }

  readonly server = {
    goDown: async () => {
      this.#isUp = false;
      await whatsapp.goDown();
    },
    comeBack: async () => {
      if (!this.#isUp) await whatsapp.comeBack();
      this.#isUp = true;
    },
  };

  get engine(): Engine {
    return this.#engine;
  }

  async restart(): Promise<void> {
    await this.#engine.close();
    this.#engine = this.#create();
  }

  scan(numero: string, code: string): Promise<void> {
    return whatsapp.phone(numero).scan(code);
  }

  scanWithOther(numero: string, code: string): Promise<void> {
    return whatsapp.phone(otherNumero(numero)).scan(code);
  }

  async scanWithPasskey(numero: string, code: string): Promise<void> {
    const phone = whatsapp.phone(numero);
    phone.asksForPasskey = true;
    await phone.scan(code);
  }

  type(numero: string, code: string): Promise<void> {
    return whatsapp.phone(numero).type(code);
  }

  async renewCode(): Promise<void> {
    whatsapp.renewCodes(6);
  }

  async endCodes(): Promise<void> {
    // More than a session shows.
    for (let offers = 0; offers < 7; offers++) whatsapp.renewCodes(6);
  }

  async logOut(numero: string): Promise<void> {
    whatsapp.phone(numero).unlink();
  }

  async loseLine(numero: string): Promise<void> {
    whatsapp.refuseLogin(numero, 503);
    whatsapp.phone(numero).cutLine();
  }

  async recoverLine(numero: string): Promise<void> {
    whatsapp.refuseLogin(numero, undefined);
  }

  async isLinked(numero: string): Promise<boolean> {
    return whatsapp.phone(numero).devices.length > 0;
  }

  async absent(number: string): Promise<string> {
    whatsapp.setNoWhatsapp(number);
    return number;
  }

  async arrivals(number: string): Promise<readonly Arrival[]> {
    return whatsapp.phone(number).messages.map(({ number: from, text }) => ({ from, text }));
  }

  async acknowledge(number: string, ack: 'device' | 'read'): Promise<void> {
    whatsapp.phone(number).acknowledge(ack === 'read' ? ack : undefined);
  }

  async stop(numero: string, reason: StopAbility, code: string): Promise<void> {
    const phone = whatsapp.phone(numero);
    switch (reason) {
      case 'passkey':
        phone.asksForPasskey = true;
        phone.passkeyPlay = { options: { rpId: 'example.com' } };
        return phone.scan(code);
      case 'restricted':
        whatsapp.refuseLogin(numero, 403);
        phone.cutLine();
        return;
      case 'replaced':
        phone.replaceElsewhere();
    }
  }

  #create(): Engine {
    const open = () => openLedger(this.#folder, assert.fail);
    const timings = { ...TIMINGS, ...(this.comparesCodes && { passkeyProven: 0 }) };
    return new WhatsappEngine(open, pino({ enabled: false }), { url: whatsapp.url, timings, passkey: true });
  }
}

async function openLab(scope: Scope): Promise<EngineLab> {
  const lab = new WhatsappLab(temporaryFolder());
  scope.after(() => lab.engine.close());
  scope.after(() => lab.server.comeBack());
  return lab;
}

engineContract('the whatsapp engine', openLab, [
  ...(['unlink', 'pairing', 'ack', 'keeps', 'moves', 'outage', 'expires', 'passkeys'] as const),
  ...(['passkey', 'restricted', 'replaced'] as const),
]);
