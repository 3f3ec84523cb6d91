import '../../src/index.ts';
import { waitFor } from '@testing-library/dom';
import { expect } from 'chai';
import { nextFrame } from '../support/frame.ts';
import { existing, openPanel } from '../support/panel.ts';
import { screenshot } from '../support/screenshot.ts';
import { resize } from '../support/viewport.ts';

const NUMERO = '5491155550001';

describe('a state', () => {
  it('has an explanation and its own colour', async () => {
    const { panel } = await openPanel({
      extensions: [],
      sessions: [
        { numero: '5491155550001', state: 'waiting' },
        { numero: '5491155550002', state: 'qr' },
        { numero: '5491155550003', state: 'disconnected' },
        { numero: '5491155550004', state: 'connected' },
      ],
    });
    const badges = [...panel.root.querySelectorAll('[part="state"]')];
    const explanation = (badge: Element) => badge.parentElement?.nextElementSibling?.textContent;
    expect(badges.map((badge) => [badge.textContent, explanation(badge)])).to.deep.equal([
      ['AUTENTICANDO...', 'El servidor está preparando el código.'],
      ['AUTENTICANDO...', 'Escanéalo con el teléfono de este número.'],
      ['DESCONECTADO', 'Está desconectada de WhatsApp. Levántala para volver a usarla.'],
      ['CONNECTED', 'Conectada: envía y recibe mensajes.'],
    ]);
    expect(new Set(badges.map((badge) => getComputedStyle(badge).color))).to.have.property('size', 4);
  });

  it('has a picture of its own kind', async () => {
    const { gateway, panel } = await openPanel({ sessions: [{ numero: NUMERO, state: 'connected' }] });
    const picture = existing(panel.root.querySelector('[part="picture"]'));
    const look = async () => {
      // Painted as a whole: where a part of it is, its corners may differ by a shade.
      panel.element.hidden = true;
      await nextFrame();
      panel.element.hidden = false;
      return (await screenshot(picture)).data.join();
    };
    const kinds = [
      ['OPENING', 'PAIRING'],
      ['UNPAIRED', 'UNLAUNCHED'],
      ['TOS_BLOCK', 'CONFLICT'],
      ['ALGO NUEVO'],
    ];
    const seen = new Set([await look()]);
    for (const states of kinds) {
      const looks = new Set<string>();
      for (const state of states) {
        await gateway.push('session:change_state', { numero: NUMERO, state });
        await waitFor(() => expect(panel.text).to.include(state));
        looks.add(await look());
      }
      expect(looks.size, states.join()).to.equal(1);
      for (const one of looks) seen.add(one);
    }
    expect(seen.size).to.equal(1 + kinds.length);
  });

  it('moves no field or button of a card out of line with those beside it', async () => {
    const states = ['CONNECTED', 'UNPAIRED', 'ALGO NUEVO'];
    const { gateway, panel } = await openPanel({ sessions: states.length });
    await resize(panel, 1280, 900);
    for (const [index, state] of states.entries())
      await gateway.push('session:change_state', { numero: panel.numeros()[index], state });
    await waitFor(() => {
      for (const state of states) expect(panel.text).to.include(state);
      const tops = panel
        .all('button', 'Enviar Mensaje')
        .map((button) => Math.round(button.getBoundingClientRect().top));
      expect(tops).to.have.length(states.length);
      expect(new Set(tops), tops.join()).to.have.property('size', 1);
    });
    await resize(panel, 1000, 800);
  });

  it('that dropped is marked with the time until it is back', async () => {
    const { gateway, panel } = await openPanel({ sessions: [{ numero: NUMERO, state: 'connected' }] });
    const card = await panel.card(NUMERO);
    const mark = () => card.textContent.match(/Se cayó a las \d\d:\d\d/)?.[0];
    await gateway.phone(NUMERO).loseLine();
    await waitFor(() => expect(mark()).to.be.a('string'));
    const now = new Date();
    const times = [now, new Date(now.getTime() - 60_000)].map(
      (date) => `Se cayó a las ${date.toLocaleTimeString('es', { hour: '2-digit', minute: '2-digit' })}`,
    );
    expect(times).to.include(mark());
    await gateway.phone(NUMERO).recoverLine();
    await waitFor(() => expect(mark()).to.equal(undefined));
  });
});
