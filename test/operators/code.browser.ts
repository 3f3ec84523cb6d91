import '../../src/index.ts';
import { expect } from 'chai';
import { jumpAhead, stopClock } from '../support/browser-clock.ts';
import { nextFrame } from '../support/frame.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { click, press } from '../support/input.ts';
import { mountReady, type Panel } from '../support/panel.ts';
import { decodeQr } from '../support/qr.ts';
import { until } from '../support/until.ts';

const NUMERO = '5491155550001';
const OTHER = '5491155550002';

const FIRST_LIFE = 60_000;
const LATER_LIFE = 20_000;

describe('a code that never lies:', () => {
  it('overdue, it is covered without a word, and then said to have expired', async () => {
    stopClock();
    const { gateway, panel, card, scanned, size } = await code();
    await gateway.phone(NUMERO).trouble('stale-code');
    const before = size();
    jumpAhead(FIRST_LIFE + 1000);
    await until(() => panel.all('image', /QR/, card).length === 0, 'the cover');
    expect(card.textContent).not.to.include('vencido');
    expect(await scanned()).to.equal(null);
    expect(size()).to.deep.equal(before);
    jumpAhead(3000);
    await until(() => card.textContent?.includes('Código vencido'), 'the word for it');
    expect(card.textContent).to.include('El código venció y el servidor no ha enviado otro.');
    expect(await scanned()).to.equal(null);
    expect(size()).to.deep.equal(before);
  });

  it('stays under its cover, dimmed, and comes back as the operator asks', async () => {
    const { gateway, panel, card, scanned, size } = await code();
    const text = await gateway.phone(NUMERO).code();
    const before = size();
    jumpAhead(FIRST_LIFE + 3000);
    const show = await panel.find('button', 'Mostrar de todos modos', card);
    const drawing = card.querySelector('.qr svg')?.getBoundingClientRect();
    expect(drawing?.width).to.be.greaterThan(200);
    expect(size()).to.deep.equal(before);
    show.focus();
    await press('Enter');
    await until(async () => (await scanned()) === text, 'the code without its cover');
    expect(panel.focused).to.equal(panel.button(`Ampliar el código QR de ${NUMERO}`, card));
    expect(card.textContent).not.to.include('vencido');
    await press('Enter');
    const dialog = await panel.openDialog();
    expect(panel.button('Descargar PNG', dialog).getAttribute('aria-disabled')).to.equal(null);
  });

  it('with another text is believed again', async () => {
    const { gateway, panel, card, scanned } = await code();
    jumpAhead(FIRST_LIFE + 3000);
    await click(await panel.find('button', 'Mostrar de todos modos', card));
    await gateway.push(`session:qr:${NUMERO}`, '2@next');
    await until(async () => (await scanned()) === '2@next', 'the next code');
    jumpAhead(FIRST_LIFE + 3000);
    await panel.find('button', 'Mostrar de todos modos', card);
  });

  it('of a session that is CONNECTED is shown as it is (spec §2)', async () => {
    const { gateway, panel, card, scanned } = await code();
    const listed = { numero: NUMERO, state: 'CONNECTED', qrCode: '2@kept', waiting: false };
    await gateway.answer({ method: 'GET', path: '/api/session/sessions' }, { json: [listed] });
    await panel.element.refresh();
    await until(async () => (await scanned()) === '2@kept', 'the code');
    jumpAhead(FIRST_LIFE + 3000);
    await nextFrame();
    expect(await scanned()).to.equal('2@kept');
    await click(panel.button(`Ampliar el código QR de ${NUMERO}`, card));
    await panel.find('image', `Código QR para vincular ${NUMERO}`, await panel.openDialog());
  });

  it("'Generar otro' brings one that can be scanned", async () => {
    const { gateway, panel, card, scanned } = await code();
    jumpAhead(FIRST_LIFE + 3000);
    await click(await panel.find('button', 'Generar otro', card));
    await panel.notice(`La sesión de ${NUMERO} comenzará a levantarse`);
    const text = await until(() => gateway.phone(NUMERO).code(), 'the phone to have a code');
    await until(async () => (await scanned()) === text, 'a code that can be scanned');
    expect(panel.all('button', 'Generar otro', card)).to.deep.equal([]);
  });

  it('a later push sets it right by itself', async () => {
    const { gateway, panel, card, scanned } = await code();
    jumpAhead(FIRST_LIFE + 3000);
    await panel.find('button', 'Generar otro', card);
    await gateway.push(`session:qr:${NUMERO}`, '2@late');
    await until(async () => (await scanned()) === '2@late', 'the late code');
    expect(card.textContent).to.include('Escanéalo con el teléfono de este número.');
  });

  it('with the connection gone it expires all the same', async () => {
    const { gateway, panel, card, scanned } = await code();
    stopClock();
    await gateway.push(`session:qr:${NUMERO}`, '2@last');
    await until(async () => (await scanned()) === '2@last', 'the last code');
    await gateway.stop();
    await until(() => panel.element.matches(':state(offline)'), 'the panel to be alone');
    expect(await scanned()).to.equal('2@last');
    jumpAhead(LATER_LIFE + 3000);
    await panel.find('button', 'Generar otro', card);
    expect(await scanned()).to.equal(null);
  });

  it('is covered when the computer wakes up', async () => {
    const { panel, card, scanned } = await code();
    jumpAhead(8 * 3600_000);
    await panel.find('button', 'Generar otro', card);
    expect(await scanned()).to.equal(null);
  });

  it('is covered alone: another session has its own time', async () => {
    const { gateway, panel, card } = await code();
    jumpAhead(FIRST_LIFE / 2);
    await gateway.push(`session:qr:${OTHER}`, '2@other');
    const other = await panel.card(OTHER);
    const drawn = await panel.find('image', `Código QR para vincular ${OTHER}`);
    jumpAhead(FIRST_LIFE / 2 + 3000);
    await panel.find('button', 'Generar otro', card);
    expect((await decodeQr(drawn, 3))?.text).to.equal('2@other');
    expect(panel.all('button', 'Generar otro', other)).to.deep.equal([]);
  });

  it('goes at once when the session is started at another panel', async () => {
    const { gateway, card, scanned } = await code();
    const phone = gateway.phone(NUMERO);
    await phone.trouble('no-code');
    await fetch(`${gateway.url}/api/session/levanta/${NUMERO}`);
    await until(() => !card.querySelector('svg[role="img"]'), 'the code to go');
    await phone.trouble(null);
    const text = await until(() => phone.code(), 'the phone to have another code');
    await until(async () => (await scanned()) === text, 'the other code on the screen');
  });

  it('renewed in time it can be scanned, one after the other', async () => {
    const { gateway, panel, card, scanned } = await code({ speed: 2, codeAge: FIRST_LIFE - 5_000 });
    const seen = new Set<string>();
    const scansThree = async () => {
      const [text, valid] = [await scanned(), await gateway.phone(NUMERO).code()];
      if (text === valid && text) seen.add(text);
      return seen.size === 3;
    };
    await until(scansThree, 'three codes to be scanned in their time', 60_000);
    expect(panel.all('button', 'Generar otro', card)).to.deep.equal([]);
  });

  it('keeps the focus when it runs out, and when another is asked for', async () => {
    const { panel, card } = await code({ speed: 0.1 });
    panel.button(`Ampliar el código QR de ${NUMERO}`, card).focus();
    jumpAhead(FIRST_LIFE + 3000);
    const another = await panel.find('button', 'Generar otro', card);
    expect(panel.focused).to.equal(another);
    await press('Enter');
    await until(() => panel.all('button', 'Generar otro', card).length === 0, 'it to be started');
    expect(panel.focused).to.equal(panel.get('heading', NUMERO, card));
  });
});

describe('the bar under a code', () => {
  it('shows how much is left of one that was pushed, and there is none for one of unknown age', async () => {
    const { gateway, card, left } = await code();
    expect(left()).to.equal(undefined);
    await gateway.push(`session:qr:${NUMERO}`, '2@new');
    const first = await until(left, 'a bar');
    expect(first).to.be.greaterThan(0.5);
    await until(() => (left() ?? 1) < first - 0.05, 'it to shrink');
    expect(card.querySelector('.freshness')?.getAttribute('aria-hidden')).to.equal('true');
  });

  it('begins anew with each code, and goes with it', async () => {
    const { gateway, left } = await code();
    await gateway.push(`session:qr:${NUMERO}`, '2@one');
    await until(() => (left() ?? 1) < 0.8, 'it to shrink');
    // Codes that follow at once would live as short, and a full bar could hardly be seen.
    jumpAhead(0.75 * LATER_LIFE);
    // Looked for before the push is confirmed: it shrinks at once.
    const full = until(() => (left() ?? 0) > 0.8, 'a full bar');
    await gateway.push(`session:qr:${NUMERO}`, '2@two');
    await full;
    await gateway.push(`session:authenticated:${NUMERO}`);
    await until(() => left() === undefined, 'the end of it');
  });

  it('tells the truth when the page shows the panel again', async () => {
    const { gateway, panel, left } = await code();
    await gateway.push(`session:qr:${NUMERO}`, '2@new');
    await until(() => (left() ?? 0) > 0.6, 'a bar');
    // What is hidden and shown between two frames was never hidden.
    await nextFrame();
    panel.element.hidden = true;
    await nextFrame();
    jumpAhead(LATER_LIFE / 2);
    panel.element.hidden = false;
    await until(() => (left() ?? 1) < 0.55, 'half a bar');
    expect(left()).to.be.greaterThan(0);
  });

  it('goes with a code that is covered', async () => {
    const { gateway, panel, card, left } = await code();
    await gateway.push(`session:qr:${NUMERO}`, '2@new');
    await until(() => left(), 'a bar');
    jumpAhead(LATER_LIFE + 3000);
    await panel.find('button', 'Generar otro', card);
    expect(left()).to.equal(undefined);
  });
});

/** A card with the first code of a session, which the list brought. */
async function code({ speed = 1, codeAge = 0 } = {}) {
  const gateway: Gateway = await startGateway({
    sessions: [
      { numero: NUMERO, state: 'qr', codeAge },
      { numero: OTHER, state: 'disconnected' },
    ],
    speed,
  });
  const panel: Panel = await mountReady(gateway);
  const card = await panel.card(NUMERO);
  await panel.find('image', `Código QR para vincular ${NUMERO}`, card);
  const picture = await until(() => card.querySelector('[part="picture"]'), 'the picture');
  const box = await until(() => picture.querySelector('.qr'), 'the box of the code');
  return {
    gateway,
    panel,
    card,
    /** What a phone reads from the screen. */
    scanned: async () => (await decodeQr(picture, 3))?.text ?? null,
    size: () => [picture, box].map((element) => element.getBoundingClientRect().height),
    /** How much of the bar is full, from 0 to 1. */
    left: () => {
      const bar = picture.querySelector('.freshness');
      const full = bar?.firstElementChild?.getBoundingClientRect().width;
      return bar && full !== undefined ? full / bar.getBoundingClientRect().width : undefined;
    },
  };
}
