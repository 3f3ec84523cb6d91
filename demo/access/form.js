import { html } from '../phones/dom.js';

const texts = {
  title: 'Token de acceso',
  intro: (origin) => `El servidor ${origin} solo atiende a quien lo tenga. Esta página no lo guarda.`,
  label: 'Token',
  enter: 'Entrar',
  failed: 'No se pudo hablar con el servidor. Inténtalo de nuevo.',
};

/** One form at a time. */
let turn = Promise.resolve();

/**
 * Asks for a server's token until it is the right one.
 *
 * @param {string} origin
 * @param {(token: string) => Promise<string | undefined>} problemWith - Returns a sentence if it is not.
 * @returns {Promise<string>}
 */
export function askPerson(origin, problemWith) {
  const answer = turn.then(() => show(origin, problemWith));
  turn = answer;
  return answer;
}

function show(origin, problemWith) {
  const problem = html('p', { class: 'access-problem', id: 'access-problem', role: 'alert' });
  const input = html('input', {
    id: 'access-token',
    type: 'password',
    required: true,
    // The browser must not store it either.
    autocomplete: 'off',
    'aria-describedby': problem.id,
  });
  const button = html('button', { text: texts.enter });
  const form = html(
    'form',
    {},
    html('h2', { id: 'access-title', text: texts.title }),
    html('p', { text: texts.intro(origin) }),
    html('label', { for: input.id, text: texts.label }),
    input,
    problem,
    button,
  );
  // Without a token there is nothing to see, so Escape must not close it. Not every browser knows the attribute, and at
  // a third Escape `cancel` is not fired.
  const dialog = html('dialog', { 'aria-labelledby': 'access-title', closedby: 'none' }, form);
  dialog.addEventListener('keydown', (event) => event.key === 'Escape' && event.preventDefault());
  const styles = html('link', { rel: 'stylesheet', href: new URL('access.css', import.meta.url).href });
  // In a shadow root, since the page's style sheet may have rules for dialogs, labels and buttons.
  const host = html('div', { class: 'access' });
  host.attachShadow({ mode: 'open' }).append(styles, dialog);

  return new Promise((resolve) => {
    form.addEventListener('submit', async (event) => {
      event.preventDefault();
      button.disabled = true;
      const token = input.value.trim();
      const sentence = await problemWith(token).catch(() => texts.failed);
      button.disabled = false;
      problem.textContent = sentence ?? '';
      if (sentence !== undefined) return input.select();
      host.remove();
      resolve(token);
    });
    document.body.append(host);
    dialog.showModal();
  });
}
