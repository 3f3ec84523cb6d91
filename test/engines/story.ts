import assert from 'node:assert/strict';
import type { Browser } from 'puppeteer-core';
import { Listener, NUMERO } from '../../gateway/test/support/gateway.ts';
import { DemoPage, VISIBLE } from '../demo/demo-page.ts';
import type { Scope } from '../support/scope.ts';
import { until } from '../support/until.ts';
import { FRIEND, type RemoteWorld } from './worlds.ts';

/** A world, and an operator before its panel. */
export interface Scene {
  readonly world: RemoteWorld;
  readonly demo: DemoPage;
  /** What the gateway pushes to panels. */
  readonly pushes: Listener;
}

/** Something that happens to the session of {@link NUMERO}, as the step before left it. */
interface Step {
  readonly name: string;
  act(): Promise<void>;
  /** Waits until the panel shows all that follows. */
  shows(): Promise<void>;
}

const TEXT = 'Hola, <b>¿llega?</b>';

export async function openScene(scope: Scope, browser: Browser, world: RemoteWorld): Promise<Scene> {
  const demo = await DemoPage.open(browser, world.url);
  scope.after(() => demo.page.close());
  await demo.keepNotices();
  // An overlay covers the panel until it has its list.
  await demo.page.waitForSelector('whatsapp-operadores >>> [aria-busy="false"]', VISIBLE);
  return { world, demo, pushes: await Listener.connect(scope, world) };
}

/** The life of a session, the same with every server. */
export function storyOf({ world, demo, pushes }: Scene): readonly Step[] {
  const says = (state: string) => demo.says('panel', NUMERO, state);
  const ready = `session:ready:${NUMERO}`;
  let heard = 0;
  return [
    {
      name: 'it is added',
      async act() {
        await add(demo, NUMERO);
        await demo.tells(`La sesión de ${NUMERO} comenzará a levantarse`);
      },
      shows: () => says('AUTENTICANDO...'),
    },
    {
      name: 'its code is on the screen',
      act: () => codeShows(demo),
      shows: () => says('AUTENTICANDO...'),
    },
    {
      name: 'its phone scans the code',
      act: () => scan(world, demo),
      async shows() {
        await pushes.heard(`session:authenticated:${NUMERO}`);
        await says('CONNECTED');
      },
    },
    {
      name: 'it sends a message',
      async act() {
        await typeMessage(demo);
        await demo.press('panel', NUMERO, 'Enviar Mensaje');
      },
      shows: () => arrives(world, 1),
    },
    {
      name: 'its line is lost',
      act: () => world.loseLine(NUMERO),
      shows: () => says('OPENING'),
    },
    {
      name: 'its line is back',
      act: () => world.recoverLine(NUMERO),
      shows: () => says('CONNECTED'),
    },
    {
      name: 'it is restarted',
      async act() {
        heard = pushes.names.length;
        await demo.press('panel', NUMERO, 'Levantar Sesión');
        await demo.answered(NUMERO);
      },
      async shows() {
        await until(() => pushes.names.indexOf(ready, heard) >= 0, 'the session to be ready again');
        assert.ok(!pushes.names.includes(`session:qr:${NUMERO}`, heard), 'it took a new code');
        await says('CONNECTED');
      },
    },
    {
      name: 'it is unlinked on the phone',
      act: () => world.unlink(NUMERO),
      shows: () => says('DESCONECTADO'),
    },
    {
      name: 'another code is on the screen',
      act: () => codeShows(demo),
      shows: () => says('AUTENTICANDO...'),
    },
    {
      name: 'it is deleted',
      async act() {
        await demo.press('panel', NUMERO, 'Eliminar Sesión');
        await demo.click('button', 'Eliminar');
        await demo.tells(`La sesión de ${NUMERO} ha sido eliminada`);
      },
      shows: () => demo.gone('panel', NUMERO),
    },
  ];
}

/** Adds a numero by keyboard. */
export async function add(demo: DemoPage, numero: string): Promise<void> {
  const { keyboard } = demo.page;
  await (await demo.byRole('button', 'Agregar una nueva sesión')).focus();
  await keyboard.press('Enter');
  await demo.byRole('textbox', 'Número de teléfono');
  await keyboard.type(numero);
  await keyboard.press('Enter');
}

/** Types a test message on the card, and does not send it. */
export async function typeMessage(demo: DemoPage): Promise<void> {
  const [message, number] = await (await demo.article('panel', NUMERO)).$$('input[type="text"]');
  await message?.type(TEXT);
  await number?.type(FRIEND);
}

/** Waits until the message has arrived so many times. */
export async function arrives(world: RemoteWorld, times: number): Promise<void> {
  const arrived = async () => (await world.received(FRIEND)).filter((text) => text === TEXT);
  await until(async () => (await arrived()).length >= times, 'the message to arrive');
  assert.equal((await arrived()).length, times);
}

/** Returns the code on the screen; starts the session if it is down, as it is after the last of its codes. */
async function codeOf(demo: DemoPage): Promise<string | undefined> {
  const isDown = (await demo.text('panel', NUMERO)).includes('DESCONECTADO');
  if (isDown) await demo.press('panel', NUMERO, 'Levantar Sesión');
  return demo.codeOf(NUMERO);
}

/** Resolves once a code is on the screen. */
async function codeShows(demo: DemoPage): Promise<void> {
  await until(() => codeOf(demo), 'a code on the screen');
}

/** Scans the code that is on the screen, which may end meanwhile: only the one that the server shows now is taken. */
async function scan(world: RemoteWorld, demo: DemoPage): Promise<void> {
  await until(async () => {
    const code = await codeOf(demo);
    if (code === undefined) return false;
    await world.scan(code);
    return true;
  }, 'a code on the screen that the phone takes');
}
