import '../../src/index.ts';
import { waitFor } from '@testing-library/dom';
import { expect } from 'chai';
import { acting } from '../support/acting.ts';
import { jumpAhead } from '../support/browser-clock.ts';
import { consoleErrors } from '../support/console.ts';
import { nextFrame } from '../support/frame.ts';
import { startGateway } from '../support/gateway.ts';
import { click, fill, press } from '../support/input.ts';
import { existing, mount, mountReady, type Panel } from '../support/panel.ts';
import { setWindow } from '../support/viewport.ts';
import { read } from './enlarged-code.ts';

const NUMERO = '5215550001111';
const OTHER = '5215550002222';
const ADD = 'Vincular 521 555 000 1111';
const MORE = `Más acciones de ${NUMERO}`;
const HISTORY = `Historial de ${NUMERO}`;
const ASK_OTHERS = 'Pide a quien administra las sesiones que lo vincule.';
const LIST = { method: 'GET', path: '/api/session/sessions' };

type Options = NonNullable<Parameters<typeof startGateway>[0]>;
type Seed = Exclude<NonNullable<Options['sessions']>, number>[number];

/** A panel of one session, which is in that state or not there, on a server that has another one too. */
async function open(state?: Seed['state'], attributes: Record<string, string> = {}, options: Options = {}) {
  const sessions: Seed[] = [{ numero: OTHER, state: 'connected' }];
  if (state) sessions.push({ numero: NUMERO, state });
  const gateway = await startGateway({ ...options, sessions });
  return { gateway, panel: await mountReady(gateway, { numero: NUMERO, ...attributes }) };
}

const words = (elements: readonly Element[]) => elements.map(({ textContent }) => textContent);

const heightOf = ({ element }: Panel) => element.getBoundingClientRect().height;

describe('the panel of one session', () => {
  it('is its name, its state and its actions, and nothing of the panel of all', async () => {
    const { panel } = await open('connected');
    const card = await panel.card(NUMERO);
    expect(panel.numeros()).to.deep.equal([NUMERO]);
    expect(words(panel.all('heading'))).to.have.length(1);
    expect(panel.get('heading').textContent).to.match(new RegExp(`^.+ ${NUMERO}$`));
    expect(card.querySelector('.state')?.textContent).to.equal('CONNECTED');
    expect(panel.text)
      .not.to.include('Administrador')
      .and.not.to.include('Sesiones activas')
      .and.not.to.include('WhatsApp Operadores');
    expect(panel.root.querySelector('header, footer, .bar, [type=checkbox]')).to.equal(null);
    panel.get('region', `Administrador de Whatsapp Operadores: ${NUMERO}`);
    panel.button(HISTORY, card);
    await click(await panel.find('button', MORE));
    const menu = await panel.find('menu', MORE);
    expect(words(panel.all('menuitem', undefined, menu))).to.deep.equal([
      'Levantar Sesión',
      'Nombre y grupo',
      'Proxy',
      'Desvincular',
      'Eliminar Sesión',
    ]);
  });

  it('is named in a form whose first field has its label in sight, as the others have', async () => {
    const { panel } = await open('connected');
    await click(await panel.find('button', MORE));
    await click(await panel.find('menuitem', 'Nombre y grupo'));
    const label = await waitFor(() => existing(panel.textbox('Nombre').closest('label')));
    expect(getComputedStyle(label).fontSize).to.equal('12px');
  });

  it('starts and deletes from its menu', async () => {
    const { gateway, panel } = await open('disconnected');
    const choose = async (item: string) => {
      await click(await panel.find('button', MORE));
      await click(await panel.find('menuitem', item));
    };
    await choose('Levantar Sesión');
    await panel.notice(`La sesión de ${NUMERO} comenzará a levantarse`);
    expect(await gateway.requests('GET', `/api/session/levanta/${NUMERO}`)).to.have.length(1);
    await choose('Eliminar Sesión');
    await click(panel.button('Eliminar', await panel.openDialog()));
    const add = await panel.find('button', ADD);
    await waitFor(() => expect(panel.focused).to.equal(add));
    expect(await gateway.requests('DELETE', `/api/session/${NUMERO}`)).to.have.length(1);
  });

  it('shows the whole of what turns while it is deleted', async () => {
    const { gateway, panel } = await open('connected');
    const release = await gateway.hold({ method: 'DELETE', path: '/api/session/*' });
    await click(await panel.find('button', MORE));
    await click(await panel.find('menuitem', 'Eliminar Sesión'));
    await click(panel.button('Eliminar', await panel.openDialog()));
    const spinner = await panel.find('progressbar', 'Esperando al servidor');
    const turning = spinner.getBoundingClientRect();
    const picture = existing(spinner.parentElement).getBoundingClientRect();
    expect(turning.left).to.be.at.least(picture.left);
    expect(turning.right).to.be.at.most(picture.right);
    expect(turning.bottom).to.be.at.most(picture.bottom);
    await release();
  });

  it('opens a test message, and says what became of it', async () => {
    const { gateway, panel } = await open('connected');
    const card = await panel.card(NUMERO);
    const summary = await waitFor(() => existing(card.querySelector('summary')));
    expect(summary.textContent).to.equal('Mensaje de Prueba');
    expect(panel.textbox('Mensaje de Prueba').checkVisibility()).to.equal(false);
    await click(summary);
    await fill(panel.textbox('Mensaje de Prueba'), 'Hola');
    await fill(panel.textbox('Número'), OTHER);
    await click(panel.button('Enviar Mensaje'));
    await waitFor(() => expect(card.querySelector('.ending')?.textContent).to.match(/^Entregado/));
    const received = await gateway.phone(OTHER).messages();
    expect(received.map(({ text }) => text)).to.deep.equal(['Hola']);
  });

  it('has another code to type in place of the one to scan', async () => {
    const { panel } = await open('qr');
    const card = await panel.card(NUMERO);
    await panel.find('img', /QR/);
    expect(words(panel.all('listitem'))).to.include('Apunta la cámara a este código');
    await click(await panel.find('button', 'Escribir un código'));
    await waitFor(() => expect(card.textContent).to.match(/[A-Z\d]{4}-[A-Z\d]{4}/));
    expect(words(panel.all('listitem'))).to.include('Escribe este código');
    expect(panel.all('img', /QR/)).to.deep.equal([]);
  });

  it('tells the page of its own session only', async () => {
    const gateway = await startGateway({
      sessions: [
        { numero: OTHER, state: 'connected' },
        { numero: NUMERO, state: 'connected' },
      ],
    });
    const panel = await mount(gateway, { numero: NUMERO });
    const listed: string[][] = [];
    const changes: (string | undefined)[][] = [];
    const totals: number[] = [];
    const { element } = panel;
    element.addEventListener('wo-sessions', ({ detail }) =>
      listed.push(detail.sessions.map(({ numero }) => numero)),
    );
    element.addEventListener('wo-session-change', ({ detail: { numero, state } }) =>
      changes.push([numero, state]),
    );
    element.addEventListener('wo-attention', ({ detail }) => totals.push(detail.total));
    await panel.card(NUMERO);
    await waitFor(async () => expect(await gateway.socketCount()).to.equal(1));
    await waitFor(async () => {
      await gateway.pushAll(
        [OTHER, NUMERO].map((numero) => ['session:change_state', { numero, state: 'TIMEOUT' }]),
      );
      expect(changes).not.to.deep.equal([]);
    });
    expect(changes).to.deep.equal([[NUMERO, 'TIMEOUT']]);
    expect(new Set(listed.flat())).to.deep.equal(new Set([NUMERO]));
    await waitFor(() => expect(totals.length).to.be.above(1));
    expect(new Set(totals)).to.deep.equal(new Set([1]));
  });
});

describe('the panel of one session that is not there', () => {
  it('adds it, shows its code, and then that it is connected', async () => {
    const { gateway, panel } = await open();
    expect(panel.text).to.include('WhatsApp sin vincular');
    const add = await panel.find('button', ADD);
    add.focus();
    await press('Enter');
    const card = await panel.card(NUMERO);
    expect(panel.focused, 'the focus on what has come').to.equal(panel.get('heading', NUMERO));
    const code = await panel.find('img', `Código QR para vincular ${NUMERO}`);
    await waitFor(async () => expect(await read(code)).to.equal(await gateway.phone(NUMERO).code()));
    await gateway.phone(NUMERO).scan();
    await waitFor(() => expect(card.querySelector('.state')?.textContent).to.equal('CONNECTED'));
    expect(panel.all('listitem')).to.deep.equal([]);
  });

  it('says why it could not be added, and tries again', async () => {
    consoleErrors();
    const { gateway, panel } = await open();
    await gateway.answer(
      { method: 'GET', path: '/api/session/levanta/*', times: 1 },
      { status: 503, json: { message: 'No hay lugar para otra sesión' } },
    );
    await click(await panel.find('button', ADD));
    await waitFor(() =>
      expect(panel.mainText).to.include('No se pudo levantar: No hay lugar para otra sesión.'),
    );
    await click(panel.button(ADD));
    await panel.card(NUMERO);
  });

  it('says that the server has not answered yet', async () => {
    const { gateway, panel } = await open();
    const release = await gateway.hold({ method: 'GET', path: '/api/session/levanta/*' });
    await click(await panel.find('button', ADD));
    jumpAhead(60_000);
    await waitFor(() => expect(panel.text).to.include('El servidor todavía no responde.'));
    await release();
    await panel.card(NUMERO);
  });

  it('tells who may not see codes of none to scan', async () => {
    const { gateway, panel } = await open();
    await waitFor(() => expect(panel.text).to.include('vas a escanear'));
    await gateway.push('server:permissions', { actions: ['start', 'send', 'delete'] });
    await waitFor(() => expect(panel.text).not.to.include('vas a escanear'));
    expect(panel.button(ADD)).to.be.ok;
  });

  for (const [held, focusOf] of [
    ['had', HISTORY],
    ['did not have', undefined],
  ] as const)
    it(`offers it again when it was deleted elsewhere, with the focus if its card ${held} it`, async () => {
      const { gateway, panel } = await open('connected');
      const field = document.createElement('input');
      document.body.append(field);
      if (focusOf) panel.button(focusOf).focus();
      else field.focus();
      await fetch(`${gateway.url}/api/session/${NUMERO}`, { method: 'DELETE' });
      const add = await panel.find('button', ADD);
      if (focusOf) await waitFor(() => expect(panel.focused).to.equal(add));
      await nextFrame();
      expect(panel.focused).to.equal(focusOf ? add : null);
      field.remove();
    });

  it('has a sentence and no button for a user who may not start', async () => {
    const { gateway, panel } = await open();
    await panel.find('button', ADD);
    await gateway.push('server:permissions', { actions: ['codes', 'send', 'delete'] });
    await waitFor(() => expect(panel.text).to.include(ASK_OTHERS));
    expect(panel.all('button')).to.deep.equal([]);
    expect(panel.text).not.to.include('vas a escanear');
  });

  for (const numero of ['', 'ventas'])
    it(`offers nothing where numero="${numero}" has no digit, and is no panel of all`, async () => {
      const { panel } = await open('connected', { numero });
      await waitFor(() => expect(panel.text).to.include(ASK_OTHERS));
      expect(panel.all('button')).to.deep.equal([]);
      expect(panel.text).not.to.include('Administrador');
      expect(panel.numeros()).to.deep.equal([]);
    });
});

describe('the panel of one session while the list', () => {
  it('has not come offers nothing, since the session may be there', async () => {
    const gateway = await startGateway({ sessions: [{ numero: NUMERO, state: 'connected' }] });
    const release = await gateway.hold(LIST);
    const panel = await mount(gateway, { numero: NUMERO });
    await panel.find('progressbar', 'Cargando las sesiones');
    expect(panel.all('button')).to.deep.equal([]);
    expect(panel.text).not.to.include('sin vincular');
    await release();
    await panel.card(NUMERO);
  });

  it('is late offers to ask again, within its own place on the page', async () => {
    const gateway = await startGateway({ sessions: [{ numero: NUMERO, state: 'connected' }] });
    const release = await gateway.hold(LIST);
    const panel = await mount(gateway, { numero: NUMERO });
    await panel.find('progressbar', 'Cargando las sesiones');
    jumpAhead(11_000);
    const retry = await panel.find('button', 'Reintentar');
    const box = existing(panel.root.querySelector('.main')).getBoundingClientRect();
    for (const shown of [retry, panel.get('progressbar')]) {
      const { top, bottom } = shown.getBoundingClientRect();
      expect(top).to.be.at.least(box.top);
      expect(bottom).to.be.at.most(box.bottom);
    }
    const asked = async () => (await gateway.requests(LIST.method, LIST.path)).length;
    const before = await asked();
    await click(retry);
    await waitFor(async () => expect(await asked()).to.be.above(before));
    await release();
    await panel.card(NUMERO);
  });

  it('could not be had says why, without a notice, and asks again by keyboard', async () => {
    consoleErrors();
    const gateway = await startGateway({ sessions: [{ numero: NUMERO, state: 'connected' }] });
    await gateway.answer(LIST, { status: 500, json: { message: 'No hay memoria' } });
    const panel = await mount(gateway, { numero: NUMERO });
    const errors: string[] = [];
    panel.element.addEventListener('wo-error', ({ detail }) => errors.push(detail.action));
    const retry = await panel.find('button', 'Reintentar');
    expect(panel.mainText).to.include('No hay memoria');
    await waitFor(async () => expect(await gateway.socketCount()).to.equal(1));
    await waitFor(() => existing(panel.root.querySelector('.notices')));
    await nextFrame();
    expect(panel.notices()).to.deep.equal([]);
    expect(new Set(errors)).to.deep.equal(new Set(['fetch']));
    await gateway.liftFaults();
    retry.focus();
    await press('Enter');
    await panel.card(NUMERO);
    await waitFor(() => expect(panel.focused).to.equal(panel.get('heading')));
  });
});

describe('the attribute numero', () => {
  it('may have spaces, hyphens and a plus sign', async () => {
    const { panel } = await open('connected', { numero: ' +521 555 000-1111 ' });
    expect(panel.numeros()).to.deep.equal([NUMERO]);
  });

  it('shows its session, whatever group the panel of all would show', async () => {
    const { panel } = await open('connected', { group: 'Ventas' });
    await panel.lists([NUMERO]);
    expect(panel.all('button', ADD)).to.deep.equal([]);
  });

  it('shows the panel of all once it is removed, and that of one once it is set', async () => {
    const { gateway, panel } = await open('connected');
    panel.element.removeAttribute('numero');
    await panel.find('heading', 'Sesiones activas');
    await waitFor(() => expect(panel.numeros()).to.deep.equal([OTHER, NUMERO]));
    panel.element.numero = OTHER;
    await panel.lists([OTHER]);
    expect(panel.text).not.to.include('Administrador');
    await waitFor(async () => expect(await gateway.socketCount()).to.equal(1));
  });
});

describe('a read-only panel of one session', () => {
  for (const state of ['connected', 'qr', 'disconnected'] as const)
    it(`has no menu, test message or code: ${state}`, async () => {
      const { panel } = await open(state, { readonly: '' });
      const card = await panel.card(NUMERO);
      panel.button(HISTORY);
      expect(acting(panel)).to.deep.equal([]);
      expect(card.querySelector('summary, .qr, .steps, .large-code')).to.equal(null);
    });

  it('has no button where it is not there', async () => {
    const { panel } = await open(undefined, { readonly: '' });
    expect(panel.text).to.include(ASK_OTHERS);
    expect(panel.all('button')).to.deep.equal([]);
  });
});

describe('the panel of one session, 440 pixels wide', () => {
  const style = 'display: block; width: 440px';

  it('is as high as a row with a test message while it works', async () => {
    const { panel } = await open('connected', { style });
    await waitFor(() => existing(panel.root.querySelector('summary')));
    expect(heightOf(panel)).to.be.at.most(180);
  });

  it('keeps the place of a code until it comes, and each new one', async () => {
    const { gateway, panel } = await open('waiting', { style });
    await panel.find('button', 'Escribir un código');
    const before = heightOf(panel);
    expect(before).to.be.at.most(520);
    await gateway.push(`session:qr:${NUMERO}`, '2@first');
    await panel.find('img', /QR/);
    await panel.find('timer');
    expect(heightOf(panel), 'with the code').to.equal(before);
    await gateway.push(`session:qr:${NUMERO}`, '2@second');
    await waitFor(async () => expect(await read(panel.get('img'))).to.equal('2@second'));
    expect(heightOf(panel), 'with another code').to.equal(before);
  });
});

it('the form of a panel of one session is below its code and the steps', async () => {
  const { panel } = await open('qr', { style: 'display: block; width: 800px' });
  const code = existing((await panel.find('img', /QR/)).closest('.large-code'));
  await click(await panel.find('button', MORE));
  await click(await panel.find('menuitem', 'Nombre y grupo'));
  const field = await waitFor(() => panel.textbox('Nombre').getBoundingClientRect());
  const { right, bottom } = code.getBoundingClientRect();
  const steps = panel.get('list').getBoundingClientRect();
  expect(field.top).to.be.above(bottom);
  expect(steps.left, 'beside the code').to.be.at.least(right);
  expect(steps.bottom, 'beside the code').to.be.at.most(bottom);
});

describe('in a panel of one session the keyboard', () => {
  /** What has the focus after each press of Tab. */
  async function stops(panel: Panel): Promise<(string | null | undefined)[]> {
    const found: (string | null | undefined)[] = [];
    for (;;) {
      await press('Tab');
      const { focused } = panel;
      if (!focused) return found;
      found.push(focused.getAttribute('aria-label') ?? focused.textContent);
    }
  }

  it('reaches the history, the menu and the remedy', async () => {
    const { panel } = await open('disconnected');
    await panel.find('button', MORE);
    expect(await stops(panel)).to.deep.equal([HISTORY, MORE, 'Levantar Sesión']);
  });

  it('reaches the menu and the switch while linking', async () => {
    const { panel } = await open('qr');
    await panel.find('img', /QR/);
    await panel.find('button', MORE);
    await panel.find('button', 'Escribir un código');
    expect(await stops(panel)).to.deep.equal([HISTORY, MORE, 'Escanear', 'Escribir un código']);
  });
});

describe('the code of a panel of one session', () => {
  for (const [width, height] of [
    [300, 740],
    [440, 800],
    [440, 450],
    [800, 500],
    [800, 450],
  ] as const)
    it(`is below or beside the head, whole, and can be scanned: ${width} pixels in a window ${height} high`, async () => {
      const { gateway, panel } = await open('qr', { style: `display: block; width: ${width}px` });
      await setWindow({ width: 1000, height });
      const code = await panel.find('img', /QR/);
      const place = existing(code.closest('.large-code'));
      const box = place.getBoundingClientRect();
      const head = panel.get('heading').getBoundingClientRect();
      expect(box.top >= head.bottom || box.right <= head.left, 'beside the head').to.equal(true);
      const card = (await panel.card(NUMERO)).getBoundingClientRect();
      expect(box.bottom, 'in the card').to.be.at.most(card.bottom);
      if (width < 640) expect(box.left - card.left, 'in the middle').to.be.closeTo(card.right - box.right, 1);
      const drawn = code.getBoundingClientRect();
      expect(Math.max(box.top - drawn.top, drawn.bottom - box.bottom), 'cut off').to.be.at.most(0);
      // As a whole on the screen, which is what a phone sees.
      await setWindow({ width: 1000, height: 800 });
      expect(await read(code)).to.equal(await gateway.phone(NUMERO).code());
    });
});
