const LOOK_AGAIN_MS = 50;

/** The panel of a scene, with what happens to it: what a person does, and the time that passes. */
export class Stage {
  server;
  #panel;
  #ahead = 0;

  /**
   * @param {import('./recorded-server.js').RecordedServer} server
   * @param {HTMLElement} panel
   */
  constructor(server, panel) {
    this.server = server;
    this.#panel = panel;
    const now = Date.now;
    Date.now = () => now() + this.#ahead;
  }

  /** Sets the clock of this page ahead, for what shows only after minutes. */
  advance = (seconds) => {
    this.#ahead += seconds * 1_000;
  };

  /** Waits until the panel shows a text. */
  shows = (text) => found(() => this.#panel.shadowRoot?.querySelector('.panel')?.textContent.includes(text));

  /** Presses a button by its name; with a numero, one of that session. */
  press = async (name, numero) => {
    const button = await found(() => this.#all('button', numero).find((one) => nameOf(one) === name));
    button.click();
  };

  /** Types into a field by its label. */
  type = async (label, numero, text) => {
    const field = await found(() => this.#all('input', numero).find((one) => nameOf(one) === label));
    // React listens to the event, and compares with the value that it has set itself.
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(field, text);
    field.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }));
  };

  /** Sends a test message from a session to a number. */
  sendMessage = async (numero, to) => {
    await this.type('Mensaje de Prueba', numero, 'Hola, ¿llega?');
    await this.type('Número', numero, to);
    await this.press('Enviar Mensaje', numero);
  };

  /** Chooses an entry of a session's menu. */
  choose = async (entry, numero) => {
    await this.press(`Más acciones de ${numero}`, numero);
    await this.press(entry);
  };

  #all(selector, numero) {
    const root = this.#panel.shadowRoot;
    const part = numero === undefined ? root : root?.querySelector(`[data-numero="${numero}"]`);
    return [...(part?.querySelectorAll(selector) ?? [])];
  }
}

/** The name of a button or a field, as a person reads it. */
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
