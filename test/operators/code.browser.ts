import '../../src/index.ts';
import { waitFor } from '@testing-library/dom';
import { expect } from 'chai';
import { jumpAhead, stopClock } from '../support/browser-clock.ts';
import { nextFrame } from '../support/frame.ts';
import { press } from '../support/input.ts';
import { existing, openPanel } from '../support/panel.ts';
import { decodeQr } from '../support/qr.ts';

const NUMERO = '5491155550001';
const FIRST_LIFE = 60_000;
const LATER_LIFE = 20_000;

describe('a code on a card', () => {
  it('is covered when it is overdue, and then said to have expired', async () => {
    stopClock();
    // Without extensions the gateway sends no `codeExpires`: the stopped clock alone decides.
    const { panel, card, scanned, size } = await code({ extensions: [] });
    const before = size();
    jumpAhead(FIRST_LIFE + 1000);
    await waitFor(() => expect(panel.all('img', /QR/, card)).to.have.length(0));
    expect(card.textContent).not.to.include('vencido');
    expect(await scanned()).to.equal(null);
    expect(size()).to.equal(before);
    jumpAhead(3000);
    await waitFor(() => expect(card.textContent).to.include('Código vencido'));
    expect(card.textContent).to.include('El código venció y el servidor no ha enviado otro.');
    expect(await scanned()).to.equal(null);
    expect(size()).to.equal(before);
  });

  it('stays under its cover, dimmed, and is uncovered on request', async () => {
    const { gateway, panel, card, scanned, size } = await code();
    const text = await gateway.phone(NUMERO).code();
    const before = size();
    jumpAhead(FIRST_LIFE + 3000);
    const show = await panel.find('button', 'Mostrar de todos modos', card);
    const drawing = card.querySelector('[role="img"]')?.getBoundingClientRect();
    expect(drawing?.width).to.be.greaterThan(200);
    expect(size()).to.deep.equal(before);
    show.focus();
    await press('Enter');
    await waitFor(async () => expect(await scanned()).to.equal(text));
    expect(panel.focused).to.equal(panel.button(`Ampliar el código QR de ${NUMERO}`, card));
    expect(card.textContent).not.to.include('vencido');
  });

  it('keeps the focus when it expires, and when another is requested', async () => {
    const speed = 0.1;
    const { panel, card } = await code({ speed });
    panel.button(`Ampliar el código QR de ${NUMERO}`, card).focus();
    // The gateway tells the end of its codes.
    jumpAhead(FIRST_LIFE / speed + 3000);
    const another = await panel.find('button', 'Generar otro', card);
    expect(panel.focused).to.equal(another);
    await press('Enter');
    await waitFor(() => expect(panel.all('button', 'Generar otro', card)).to.have.length(0));
    expect(panel.focused).to.equal(panel.get('heading', NUMERO, card));
  });
});

describe('the bar under a code', () => {
  it('shows how much is left of a code that was pushed, and of one from the list whose end the server tells', async () => {
    const { gateway, card, left } = await code();
    expect(left()).to.be.within(0.5, 1.01);
    const pushed = performance.now();
    await gateway.push(`session:qr:${NUMERO}`, '2@new');
    const first = await waitFor(() => existing(left()));
    expect(first).to.be.at.least(leastSince(pushed));
    await waitFor(() => expect(left()).to.be.below(first - 0.05));
    expect(card.querySelector('.freshness')?.getAttribute('aria-hidden')).to.equal('true');
  });

  it('is right when the page shows the panel again', async () => {
    const { gateway, panel, left } = await code();
    await gateway.push(`session:qr:${NUMERO}`, '2@new');
    await waitFor(() => expect(left()).to.be.below(0.9));
    // Hiding and showing between two frames has no effect.
    await nextFrame();
    panel.element.hidden = true;
    await nextFrame();
    panel.element.hidden = false;
    await nextFrame();
    expect(left()).to.be.within(0.01, 0.9);
  });
});

/** How much is left at least, from 0 to 1, of a code that came after a moment: a twentieth is for the steps of the bar. */
const leastSince = (moment: number) => 0.95 - (performance.now() - moment) / LATER_LIFE;

/** Mounts a panel with one card, whose code came with the list. */
async function code(options?: Parameters<typeof openPanel>[0]) {
  const { gateway, panel } = await openPanel({ sessions: [{ numero: NUMERO, state: 'qr' }], ...options });
  const card = await panel.card(NUMERO);
  await panel.find('img', `Código QR para vincular ${NUMERO}`, card);
  const picture = existing(card.querySelector('[part="picture"]'));
  return {
    gateway,
    panel,
    card,
    /** The text of the code on the screen. */
    scanned: async () => (await decodeQr(picture, 3))?.text ?? null,
    size: () => picture.getBoundingClientRect().height,
    /** How much of the bar is full, from 0 to 1. */
    left: () => {
      const bar = card.querySelector('.freshness');
      return bar ? bar.getBoundingClientRect().width / picture.clientWidth : undefined;
    },
  };
}
