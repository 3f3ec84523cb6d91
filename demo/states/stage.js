const LOOK_AGAIN_MS = 50;

/** @typedef {ReturnType<typeof stageOf>} Stage */

/**
 * The panel of a scene, with what happens to it: what a person does, and the time that passes.
 *
 * @param {HTMLElement} panel
 * @param {import('./recorded-server.js').RecordedServer} server
 */
export function stageOf(panel, server) {
  const now = Date.now;
  let ahead = 0;
  Date.now = () => now() + ahead;

  /** A control by its name, as a person reads it; with a numero, that of this session. */
  const control = (selector, name, numero) => {
    const root = panel.shadowRoot;
    const part = numero === undefined ? root : root?.querySelector(`[data-numero="${numero}"]`);
    return [...(part?.querySelectorAll(selector) ?? [])].find((one) => nameOf(one) === name);
  };

  const press = async (name, numero) => (await found(() => control('button', name, numero))).click();

  const type = async (label, numero, text) => {
    const field = await found(() => control('input', label, numero));
    // React listens to the event, and compares with the value that it has set itself.
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(field, text);
    field.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }));
  };

  return {
    server,
    press,
    type,
    /** Opens what has a summary. */
    open: async (name) => (await found(() => control('summary', name))).click(),
    /** Sets the clock of this page ahead, for what shows only after minutes. */
    advance(seconds) {
      ahead += seconds * 1_000;
    },
    /** Waits until the panel shows a text. */
    shows: (text) => found(() => panel.shadowRoot?.querySelector('.panel')?.textContent.includes(text)),
    /** Sends a test message from a session to a number. */
    async sendMessage(numero, to) {
      await type('Mensaje de Prueba', numero, 'Hola, ¿llega?');
      await type('Número', numero, to);
      await press('Enviar Mensaje', numero);
    },
    /** Chooses an entry of a session's menu. */
    async choose(entry, numero) {
      const chosen = await found(() => {
        const menu = control('button', `Más acciones de ${numero}`, numero)?.popoverTargetElement;
        // A card that is not on the screen may lose an open menu with its inside, and get another.
        if (!menu?.matches(':popover-open')) menu?.showPopover();
        return control('[role="menuitem"]', entry);
      });
      chosen.click();
    },
  };
}

function nameOf(control) {
  return control.ariaLabel ?? control.labels?.[0]?.textContent ?? control.textContent;
}

/** Looks until something is there. */
async function found(look) {
  for (;;) {
    const result = look();
    if (result) return result;
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
  }
}
