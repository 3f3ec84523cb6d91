import { html } from './dom.js';

/** The gateway's token, or '' if it needs none. In memory only. */
let token;

/** Returns the gateway's token. All callers wait until the person has entered it, once. */
export function tokenOf() {
  token ??= findToken();
  return token;
}

/** Returns the token as request headers. */
export async function authorization() {
  const value = await tokenOf();
  return value === '' ? {} : headersOf(value);
}

async function findToken() {
  try {
    if ((await askGateway({})).status !== 401) return '';
  } catch {
    // It may need a token once it can be reached: the next caller asks again.
    token = undefined;
    return '';
  }
  return askPerson();
}

/** Asks for the token until it is the right one. */
function askPerson() {
  const problem = html('p', { class: 'problem', id: 'access-problem', role: 'alert' });
  // The browser must not store the token either.
  const input = html('input', { type: 'password', autocomplete: 'off', 'aria-describedby': problem.id });
  input.required = true;
  const button = html('button', { class: 'filled' }, 'Entrar');
  const form = html(
    'form',
    { class: 'access' },
    html('h2', { id: 'access-title' }, 'Token de acceso'),
    html('p', {}, 'El servidor solo atiende a quien lo tenga. Esta página no lo guarda.'),
    html('label', {}, 'Token', input),
    problem,
    button,
  );
  // Without a token there is nothing to see, so Escape must not close it. Not every browser knows the attribute, and at
  // a third Escape `cancel` is not fired.
  const dialog = html('dialog', { 'aria-labelledby': 'access-title', closedby: 'none' }, form);
  dialog.addEventListener('keydown', (event) => event.key === 'Escape' && event.preventDefault());
  document.body.append(dialog);
  dialog.showModal();

  return new Promise((resolve) => {
    form.addEventListener('submit', async (event) => {
      event.preventDefault();
      button.disabled = true;
      const value = input.value.trim();
      problem.textContent = (await refusalOf(value)) ?? '';
      button.disabled = false;
      if (problem.textContent !== '') return input.select();
      dialog.remove();
      resolve(value);
    });
  });
}

/** Returns why the gateway rejects the token, as a sentence; undefined if it accepts it. */
async function refusalOf(value) {
  try {
    const response = await askGateway(headersOf(value));
    return response.ok ? undefined : (await response.json()).message;
  } catch {
    return 'No se pudo hablar con el servidor. Inténtalo de nuevo.';
  }
}

function askGateway(headers) {
  return fetch('/api/session/sessions', { headers });
}

/** Encoding does not change a valid token. Others may not fit in a header, and the gateway rejects them. */
function headersOf(value) {
  return { Authorization: `Bearer ${encodeURI(value)}` };
}
