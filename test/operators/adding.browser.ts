import '../../src/index.ts';
import { waitFor } from '@testing-library/dom';
import { expect } from 'chai';
import { isWebKit } from '../support/browser.ts';
import { jumpAhead } from '../support/browser-clock.ts';
import { consoleErrors } from '../support/console.ts';
import { nextFrame } from '../support/frame.ts';
import type { Gateway } from '../support/gateway.ts';
import { click, press, type } from '../support/input.ts';
import { existing, openPanel, type Panel } from '../support/panel.ts';
import { setWindow } from '../support/viewport.ts';

const LISTED = '5491122334455';
const START = { method: 'GET', path: '/api/session/levanta/*' };

describe('adding a session', () => {
  let gateway: Gateway;
  let panel: Panel;
  let dialog: HTMLDialogElement;
  let input: HTMLInputElement;

  beforeEach(async () => {
    ({ gateway, panel } = await openPanel(
      { sessions: [{ numero: LISTED, state: 'connected' }] },
      { 'notification-timeout': '0' },
    ));
  });

  async function open() {
    dialog = await panel.openAddDialog();
    input = panel.textbox(/teléfono/, dialog);
  }

  /** The description of the field: the hint, or why the server refused. */
  const advice = () => panel.advice(input);

  const toRead = (words: string) => waitFor(() => expect(advice()).to.include(words));

  /** What the field has been described by since then, apart from nothing. */
  function descriptions(): string[] {
    const seen: string[] = [];
    const place = existing(panel.root.getElementById(input.getAttribute('aria-describedby') ?? ''));
    const observer = new MutationObserver(() => {
      if (place.textContent) seen.push(place.textContent);
    });
    observer.observe(place, { childList: true, characterData: true, subtree: true });
    return seen;
  }

  it('typing beyond the limit gives a hint', async () => {
    await open();
    await type('3461234567890');
    expect(advice()).to.equal('');
    await type('1');
    await toRead('No caben más de 13 caracteres: revisa el número.');
    expect(input.value).to.equal('3461234567890');
    await press('Backspace');
    await waitFor(() => expect(advice()).not.to.include('No caben'));
  });

  describe('a hint', () => {
    it('waits for the whole number', async () => {
      await open();
      const seen = descriptions();
      await type('5491122334456');
      input.select();
      await type(LISTED);
      await waitFor(() => expect(seen).to.have.length(1));
      expect(seen[0]).to.include('Ya está en la lista');
    });

    it('is announced politely, in a region that was there before, and moves nothing', async () => {
      await open();
      const region = input.getAttribute('aria-describedby');
      const live = panel.root.getElementById(region ?? '')?.querySelector('[role="status"]');
      expect(live?.textContent).to.equal('');
      const button = panel.button('Agregar', dialog);
      const before = [dialog, input, button].map((element) => element.getBoundingClientRect().y);
      await type(LISTED);
      await toRead('Ya está en la lista');
      expect(live?.textContent).to.include('Ya está en la lista');
      expect([dialog, input, button].map((element) => element.getBoundingClientRect().y)).to.deep.equal(
        before,
      );
    });
  });

  it('a numero that is listed can be started again in spite of the hint', async () => {
    await open();
    await type(LISTED);
    await toRead('Ya está en la lista');
    await press('Enter');
    await panel.notice(`La sesión de ${LISTED} comenzará a levantarse`);
    await waitFor(() => expect(panel.dialog()).to.equal(null));
    expect(panel.numeros().filter((numero) => numero === LISTED)).to.have.length(1);
  });

  it('a refusal is shown at the field until the numero is changed', async () => {
    consoleErrors();
    const numero = '34612345678';
    await gateway.answer(START, { status: 503, json: { message: 'No hay lugar para otra sesión' } });
    await open();
    const { y } = dialog.getBoundingClientRect();
    await type(numero);
    await press('Enter');
    await panel.notice('Request failed with status code 503: No hay lugar para otra sesión');
    await toRead(
      'No se pudo levantar: No hay lugar para otra sesión. Reinténtalo; si sigue igual, avisa a quien administra el servidor.',
    );
    expect(input.value).to.equal(numero);
    expect(dialog.getBoundingClientRect().y, 'the dialog grows at its end').to.equal(y);
    await gateway.liftFaults();
    const answer = await gateway.hold(START, { status: 500 });
    await press('Enter');
    await waitFor(() => expect(advice()).not.to.include('No se pudo'));
    await answer();
    await toRead('No se pudo');
    await click(input);
    await press('Backspace');
    expect(advice()).not.to.include('No se pudo');
  });

  it('a numero that is being added is not said to be on the list', async () => {
    const numero = '34612345678';
    const answer = await gateway.hold(START);
    await open();
    const seen = descriptions();
    await type(numero);
    await press('Enter');
    await gateway.push('session:created', { numero, state: 'AUTENTICANDO...', waiting: true });
    await waitFor(() => expect(panel.numeros()).to.include(numero));
    await answer();
    await waitFor(() => expect(panel.dialog()).to.equal(null));
    expect(seen).to.deep.equal([]);
  });

  it('a late answer is reported at the field after half a minute, and still closes the dialog', async () => {
    const answer = await gateway.hold(START);
    await open();
    const { y } = dialog.getBoundingClientRect();
    await type('34612345678');
    await press('Enter');
    await waitFor(() => expect(panel.button('Agregar', dialog).ariaDisabled).to.equal('true'));
    jumpAhead(31_000);
    await toRead('El servidor todavía no responde. Si sigue igual');
    expect(dialog.getBoundingClientRect().y, 'the dialog grows at its end').to.equal(y);
    // The answer will close the dialog: the field takes no more input.
    await type('5');
    expect(input.value).to.equal('34612345678');
    await answer();
    await waitFor(() => expect(panel.dialog()).to.equal(null));
  });
});

describe('an empty list', () => {
  it('offers to add the first session, and gives the focus to its card', async () => {
    const { panel } = await openPanel({ sessions: 0, speed: 20 });
    expect(panel.text).to.include('No hay sesiones activas');
    await click(panel.button('Agregar la primera sesión'));
    await panel.openDialog();
    await type('5491155550001');
    await press('Enter');
    await waitFor(() => expect(panel.dialog()).to.equal(null));
    await waitFor(() => expect(panel.focused?.textContent).to.equal('5491155550001'));
    expect(panel.all('button', 'Agregar la primera sesión')).to.deep.equal([]);
  });
});

describe('a session that was deleted before its addition was answered', () => {
  it('does not scroll the page when it is listed again', async () => {
    const sessions = Array.from({ length: 6 }, (_, index) => ({
      numero: String(5491155550000 + index),
      state: 'connected' as const,
    }));
    const [{ numero: last = '' } = {}] = sessions.slice(-1);
    const { gateway, panel } = await openPanel({ sessions });
    const deleted = await gateway.hold({ method: 'DELETE', path: '/api/session/*' });
    const started = await gateway.hold(START, { json: { numero: last } });
    await panel.deleteSession(await panel.card(last));
    await panel.openAddDialog();
    await type('5491155559999');
    await press('Enter');
    await waitFor(async () =>
      expect(await gateway.requests('GET', '/api/session/levanta/5491155559999')).to.have.length(1),
    );
    await deleted();
    await panel.notice(`La sesión de ${last} ha sido eliminada`);
    await started();
    await waitFor(() => expect(panel.dialog()).to.equal(null));

    scrollTo(0, 0);
    const state = { state: 'CONNECTED', waiting: false };
    const json = sessions.map(({ numero }) => ({ numero, ...state }));
    await gateway.answer({ method: 'GET', path: '/api/session/sessions' }, { json });
    await panel.element.refresh();
    await waitFor(() => expect(panel.numeros()).to.include(last));
    await nextFrame();
    await nextFrame();
    expect(scrollY).to.equal(0);
  });
});

describe('the code of a session that was added', () => {
  for (const [width, height] of [
    [360, 740],
    [1366, 640],
    [1280, 900],
  ] as const) {
    it(`is on the screen as a whole: ${width} × ${height}`, async function () {
      if (isWebKit && width < 447) this.skip();
      const sessions = [1, 2, 3, 4, 5].map((digit) => ({
        numero: `549115555000${digit}`,
        state: 'connected' as const,
      }));
      const { panel } = await openPanel({ sessions });
      await setWindow({ width, height });
      const numero = '5491155559999';
      await panel.openAddDialog();
      await type(numero);
      await press('Enter');
      const code = await panel.find('img', `Código QR para vincular ${numero}`);
      await waitFor(() => {
        const { top, bottom } = code.getBoundingClientRect();
        expect(top).to.be.at.least(0);
        expect(bottom).to.be.at.most(innerHeight);
      });
    });
  }

  it('does not scroll the page where it is on the screen already', async () => {
    const { panel } = await openPanel({ sessions: [] });
    await panel.openAddDialog();
    await type('5491155559999');
    await press('Enter');
    await panel.find('img', /QR/);
    await nextFrame();
    expect(scrollY).to.equal(0);
  });
});
