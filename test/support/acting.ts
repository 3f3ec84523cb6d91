import { waitFor } from '@testing-library/dom';
import { expect } from 'chai';
import { fill, press } from './input.ts';
import type { Panel } from './panel.ts';

/** The buttons that only read. Whatever else is a button acts. */
export const READING =
  /^(Historial de \d+|Abrir \d+|Lista|Tarjetas|Buscar.*|Todas \d+|En espera.*|.*(atención|cayó|cayeron).*|Activar.*|Cerrar)$/;

/** What can be used in the panel, as assistive technology gets it. */
function controls(panel: Panel): (string | null)[] {
  const roles = ['button', 'textbox', 'checkbox', 'menuitem'] as const;
  return roles.flatMap((role) =>
    panel
      .all(role)
      .map(
        (control) =>
          control.getAttribute('aria-label') ??
          (control instanceof HTMLInputElement ? control.labels?.[0] : control)?.textContent ??
          null,
      ),
  );
}

/** What can be used that acts. */
export const acting = (panel: Panel) => controls(panel).filter((name) => !name || !READING.test(name));

/** Types a test message and a name into a card, and returns it. */
export async function typeInto(panel: Panel, numero: string): Promise<HTMLElement> {
  const card = await panel.card(numero);
  await fill(panel.textbox('Mensaje de Prueba', card), 'Hola');
  (await panel.find('button', `Más acciones de ${numero}`)).focus();
  await press('Enter');
  await waitFor(() => expect(panel.focused?.textContent).to.equal('Nombre y grupo'));
  await press('Enter');
  await fill(await waitFor(() => panel.textbox('Nombre', card)), 'Recepción');
  return card;
}

/** Expects what {@link typeInto} has typed. */
export function expectTyped(panel: Panel, card: HTMLElement): void {
  expect(panel.textbox('Mensaje de Prueba', card).value).to.equal('Hola');
  expect(panel.textbox('Nombre', card).value).to.equal('Recepción');
}
