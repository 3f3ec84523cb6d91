import { tokenOf } from '../access.js';
import { html } from '../dom.js';

/** As many as anybody would scroll through: a page that is open all day must not grow. */
const MOST = 100;

const TIME = new Intl.DateTimeFormat('es', { timeStyle: 'medium' });

/** Each event of a panel, in a few words. */
const WORDS = {
  'wo-connection-change': ({ connected }) => (connected ? 'Con el servidor' : 'Sin el servidor'),
  'wo-sessions': ({ sessions }) => `En la lista: ${sessions.length}`,
  'wo-session-change': ({ numero, previousState, state }) =>
    `${numero}: ${previousState ?? '(nueva)'} → ${state ?? '(eliminada)'}`,
  'wo-attention': ({ act, total }) => `Requieren atención: ${act} de ${total}`,
  'wo-error': ({ action, error }) => `${action}: ${error.message}`,
};

const views = [...document.querySelectorAll('template')];
const view = document.getElementById('view');
const badge = document.getElementById('badge');
const log = document.getElementById('log');
// It scrolls, and not every browser lets the keyboard do that by itself.
log.tabIndex = 0;

// The events bubble: one listener hears every panel, mounted now or later.
for (const name of Object.keys(WORDS)) document.addEventListener(name, hear);
addEventListener('hashchange', show);
show();

function hear({ type, detail, target }) {
  const words = WORDS[type](detail);
  const time = html('time', { class: 'quiet' }, TIME.format(Date.now()));
  log.prepend(html('li', {}, time, html('code', {}, type), words));
  if (log.childElementCount > MOST) log.lastElementChild.remove();
  if (type !== 'wo-attention' || target.id !== 'first') return;
  badge.hidden = detail.act === 0;
  badge.title = words;
  const rest = html('span', { class: 'visually-hidden' }, ' requieren atención');
  badge.replaceChildren(String(detail.act), rest);
}

/**
 * Shows the view of the address. Cloning a panel into the page mounts it, and removing it disconnects it: nothing else
 * has to be called.
 */
function show() {
  const { id, content } = views.find((one) => `#${one.id}` === location.hash) ?? views[0];
  const clone = document.importNode(content, true);
  for (const panel of clone.querySelectorAll('whatsapp-operadores')) panel.token = tokenOf;
  view.replaceChildren(clone);
  scrollTo(0, 0);
  for (const link of document.querySelectorAll('nav a')) {
    link.ariaCurrent = link.hash === `#${id}` ? 'page' : null;
  }
}
