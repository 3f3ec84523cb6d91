import '../../src/index.ts';
import { getByText } from '@testing-library/dom';
import { expect } from 'chai';
import { startGateway } from '../support/gateway.ts';
import { click } from '../support/input.ts';
import { existing, mount, mountReady, openPanel, type Panel } from '../support/panel.ts';

describe('the screen', () => {
  it('has a header with the title and the round add button', async () => {
    const { panel } = await openPanel({ sessions: 0 });
    expect(panel.get('heading', 'Administrador de Whatsapp Operadores').localName).to.equal('h1');
    const add = panel.button('Agregar una nueva sesión');
    expect(add.title).to.equal('Agregar una nueva sesión');
    const { width, height } = add.getBoundingClientRect();
    expect(width).to.equal(height);
    expect(parseFloat(getComputedStyle(add).borderRadius)).to.be.at.least(width / 2);
  });

  it('has a footer with the provider, the year and a copyright sign', async () => {
    const gateway = await startGateway({ sessions: 0 });
    const year = new Date().getFullYear();
    const panel = await mountReady(gateway, { provider: 'Telefonía del Sur' });
    expect(footer(panel)).to.equal(`© ${year} Telefonía del Sur`);
    const other = await mountReady(gateway);
    expect(footer(other)).to.equal(`© ${year} WhatsApp Operadores`);
  });

  it('says that there are no active sessions when the list is empty', async () => {
    const { panel } = await openPanel({ sessions: 0 });
    panel.get('heading', 'Sesiones activas');
    expect(panel.text).to.include('No hay sesiones activas');
    expect(panel.numeros()).to.deep.equal([]);
  });

  it('shows a card for each session, in the order of the list', async () => {
    const numeros = ['5215550000001', '5215550000002', '5215550000003'];
    const { panel } = await openPanel({
      sessions: numeros.map((numero) => ({ numero, state: 'connected' })),
    });
    expect(panel.numeros()).to.deep.equal(numeros);
    expect(panel.text).not.to.include('No hay sesiones activas');
  });

  it('covers what is between its header and its footer, and nothing else, until the list is there', async () => {
    const gateway = await startGateway({ sessions: 1 });
    const release = await gateway.hold({ method: 'GET', path: '/api/session/sessions' });
    const panel = await mount(gateway);
    const spinner = await panel.find('progressbar', /Cargando/);
    expect(panel.busy).to.equal(true);
    expect(panel.text).not.to.include('No hay sesiones activas');
    const box = (part: string) => existing(panel.root.querySelector(part)).getBoundingClientRect();
    const { left, right, bottom: top } = box('header');
    const { top: bottom } = box('footer');
    for (const x of [left + 1, right - 1]) {
      for (const y of [top + 1, bottom - 1])
        expect(panel.root.elementFromPoint(x, y)?.contains(spinner)).to.equal(true);
    }
    for (const x of [left - 1, right + 1])
      expect(document.elementFromPoint(x, top)).not.to.equal(panel.element);
    await click(panel.button('Agregar una nueva sesión'));
    await click(panel.button('Cancelar', await panel.openDialog()));
    await release();
    await panel.ready();
    expect(panel.all('progressbar', /Cargando/)).to.deep.equal([]);
    expect(panel.numeros()).to.have.length(1);
  });
});

describe('a session card', () => {
  it('shows, in order: picture, numero and state, message, number, three buttons', async () => {
    const numero = '5215550000001';
    const { panel } = await openPanel({ sessions: [{ numero, state: 'qr' }] });
    const card = await panel.card(numero);
    await panel.find('img', /QR/, card);
    const parts = [
      panel.get('img', /QR/, card),
      panel.get('heading', numero, card),
      getByText(card, 'AUTENTICANDO...'),
      panel.textbox('Mensaje de Prueba', card),
      panel.textbox('Número', card),
      panel.button('Enviar Mensaje', card),
      panel.button('Levantar Sesión', card),
      panel.button('Eliminar Sesión', card),
    ];
    for (const [index, part] of parts.slice(1).entries()) {
      const isAfter = parts[index]?.compareDocumentPosition(part) === Node.DOCUMENT_POSITION_FOLLOWING;
      expect(isAfter, `${part.textContent} is after ${parts[index]?.textContent}`).to.equal(true);
    }
  });

  it('has visible labels on both inputs', async () => {
    const { panel } = await openPanel({ sessions: 1 });
    for (const name of ['Mensaje de Prueba', 'Número']) {
      const [label] = panel.textbox(name).labels ?? [];
      expect(label?.textContent).to.equal(name);
      expect(label?.checkVisibility()).to.equal(true);
      expect(label?.getBoundingClientRect().height).to.be.above(10);
    }
  });

  it('shows a large orange spinner while the session waits', async () => {
    const numero = '5215550000001';
    const { panel } = await openPanel({ sessions: [{ numero, state: 'waiting' }] });
    const spinner = panel.get('progressbar', /./, await panel.card(numero));
    expect(spinner.getBoundingClientRect().width).to.be.at.least(64);
    expect(hueOf(getComputedStyle(spinner).borderTopColor)).to.be.within(15, 45);
  });

  it('shows a placeholder of 400 pixels when there is neither a code nor a spinner', async () => {
    const numero = '5215550000001';
    const { panel } = await openPanel({ sessions: [{ numero, state: 'connected' }] });
    const card = await panel.card(numero);
    expect(panel.all('progressbar', undefined, card)).to.deep.equal([]);
    expect(panel.all('img', undefined, card)).to.deep.equal([]);
    const placeholder = card.querySelector('[part=picture] svg');
    expect(placeholder?.getAttribute('width')).to.equal('400');
    expect(placeholder?.getAttribute('height')).to.equal('400');
  });
});

function footer(panel: Panel): string | undefined {
  return panel.root.querySelector('footer')?.textContent?.trim();
}

/** The HSL hue of an opaque colour in degrees. */
function hueOf(color: string): number {
  const [red = 0, green = 0, blue = 0] = (color.match(/[\d.]+/g) ?? []).map(Number);
  const max = Math.max(red, green, blue);
  const range = max - Math.min(red, green, blue);
  expect(max, `${color} is an orange`).to.equal(red);
  return (60 * (green - blue)) / range;
}
