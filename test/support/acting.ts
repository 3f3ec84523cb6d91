import type { Panel } from './panel.ts';

/** The buttons that only read. Whatever else is a button acts. */
export const READING =
  /^(Historial de \d+|Abrir \d+|Lista|Exportar|Buscar.*|\d+ de \d+.*|En espera.*|.*(atención|caído|caíd).*|Activar.*|Cerrar)$/;

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
