import '../../src/index.ts';
import { waitFor } from '@testing-library/dom';
import { expect } from 'chai';
import { isWebKit } from '../support/browser.ts';
import { consoleErrors } from '../support/console.ts';
import { click, press } from '../support/input.ts';
import { existing, openPanel } from '../support/panel.ts';
import { resize } from '../support/viewport.ts';

const numeroOf = (index: number) => String(5491155550000 + index);
const NUMERO = numeroOf(0);
const FAR = numeroOf(39);
const START = { method: 'GET', path: '/api/session/levanta/*' };
const started = (numero: string) => `La sesión de ${numero} comenzará a levantarse`;
const authenticated = (numero: string) => `Sesión de ${numero} autenticada y lista para usarse`;

async function open(count: number, attributes: Record<string, string> = {}) {
  const sessions = Array.from({ length: count }, (_, index) => ({
    numero: numeroOf(index),
    state: index === 0 ? ('disconnected' as const) : ('connected' as const),
  }));
  return openPanel({ sessions }, { 'notification-timeout': '0', order: 'server', ...attributes });
}

async function rename(url: string, numero: string, label: string): Promise<void> {
  await fetch(`${url}/api/session/${numero}/details`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ label }),
  });
}

describe('notices beside the work', () => {
  it('are at the bottom in the centre of a narrow window, whatever the position', async function () {
    if (isWebKit) this.skip();
    const { gateway, panel } = await open(40, { view: 'list', 'notification-position': 'top-right' });
    await resize(panel, 360, 740);
    await gateway.push(`session:authenticated:${FAR}`);
    const notice = await panel.notice(authenticated(FAR));
    await waitFor(() => {
      const { left, right, bottom } = notice.getBoundingClientRect();
      expect(bottom).to.be.above(740 - 40);
      expect(Math.abs((left + right) / 2 - 180)).to.be.below(30);
    });
    await resize(panel, 1000, 800);
  });

  it('say of a row what they say of a card', async () => {
    const { panel } = await open(40, { view: 'list' });
    await click(panel.button('Levantar', await panel.card(NUMERO)));
    await panel.notice(started(NUMERO));
  });

  it('name the session above the sentence, and say in Spanish what failed', async () => {
    consoleErrors();
    const { gateway, panel } = await open(2);
    await rename(gateway.url, NUMERO, 'Cobranza Norte');
    await panel.find('heading', /Cobranza Norte/);
    const lines = (notice: Element) =>
      Array.from(existing(notice.querySelector('.notice-lines')).children, ({ textContent }) =>
        textContent?.trim(),
      );
    const failures: [object, string, string][] = [
      [{ status: 503 }, 'El servidor tuvo un error', 'Request failed with status code 503'],
      [{ status: 404 }, 'El servidor no aceptó la solicitud', 'Request failed with status code 404'],
    ];
    for (const [answer, heading, text] of failures) {
      await gateway.answer({ ...START, times: 1 }, answer);
      await click(panel.button('Levantar Sesión', await panel.card(NUMERO)));
      expect(lines(await panel.notice(text))).to.deep.equal([`Cobranza Norte ${NUMERO}`, heading, text]);
    }
    await click(panel.button('Levantar Sesión', await panel.card(NUMERO)));
    expect(lines(await panel.notice(started(NUMERO)))).to.deep.equal(['Cobranza Norte', started(NUMERO)]);
  });

  it('are joined by dialogs in naming the session', async () => {
    const { gateway, panel } = await open(2);
    await rename(gateway.url, NUMERO, 'Cobranza Norte');
    await panel.find('heading', /Cobranza Norte/);
    await click(panel.button(`Historial de ${NUMERO}`));
    const dialog = await panel.openDialog();
    expect(panel.get('dialog', 'Historial de Cobranza Norte')).to.equal(dialog);
    const [described = ''] = dialog.getAttribute('aria-describedby')?.split(' ') ?? [];
    expect(panel.root.getElementById(described)?.textContent).to.equal(NUMERO);
    expect(panel.get('heading', 'Historial de Cobranza Norte', dialog)).to.be.ok;
    await press('Escape');
  });
});
