import { html } from '../dom.js';
import { followPhones } from './feed.js';
import { Phone } from './phone.js';

/** From this width on the phones are beside the panel, as in front.css; from the other one on they are shown at first. */
const BESIDE = matchMedia('(width >= 640px)');
const ROOMY = matchMedia('(width >= 1440px)');

/** From this many phones on there is a filter. */
const MANY = 9;
/** The most phones that are shown at once. */
const MOST = 24;

const byId = (id) => document.getElementById(id);
const toggle = byId('phones-toggle');
const drawer = byId('drawer');
const list = byId('phones-list');
const filter = byId('phones-filter');
const input = filter.querySelector('input');

/** @type {Map<string, import('./simulator.js').PhoneRecord>} */
const records = new Map();
/** The phones on the page, in their order. @type {Map<string, Phone>} */
let shown = new Map();

/** Shows the drawer with these phones, and keeps it up to date. */
export function openDrawer(phones) {
  toggle.hidden = false;
  toggle.addEventListener('click', () => setOpen(drawer.hidden));
  byId('phones-close').addEventListener('click', close);
  drawer.addEventListener('keydown', ({ key }) => key === 'Escape' && close());
  // It does not bubble.
  list.addEventListener('toggle', showCode, true);
  // In another window it is as if just opened: never over a panel unasked.
  for (const query of [BESIDE, ROOMY]) query.addEventListener('change', () => setOpen(ROOMY.matches));
  input.addEventListener('input', () => arrange());

  listed(phones, new Set());
  // The first one, if it has something to do.
  const [first] = shown.values();
  if (first) first.line.open = true;
  setOpen(ROOMY.matches);
  followPhones({ listed, changed, removed, connected });
}

function setOpen(open) {
  drawer.hidden = !open;
  toggle.ariaExpanded = String(open);
  showCode();
}

function close() {
  setOpen(false);
  toggle.focus();
}

/** Brings the code for the open phone into what a sheet leaves of the panel. */
function showCode() {
  if (drawer.hidden || BESIDE.matches) return;
  const [numero] = [...shown].find(([, phone]) => phone.line.open) ?? [];
  if (!records.get(numero)?.code) return;
  const { shadowRoot } = document.querySelector('whatsapp-operadores');
  shadowRoot?.querySelector(`[data-numero="${numero}"] [role="img"]`)?.scrollIntoView();
}

function connected(isConnected) {
  byId('phones-lost').textContent = isConnected ? '' : 'Sin conexión con los teléfonos. Reintentando…';
}

function listed(phones, newer) {
  const numeros = new Set([...phones.map(({ numero }) => numero), ...newer]);
  for (const numero of records.keys()) if (!numeros.has(numero)) records.delete(numero);
  for (const phone of phones) if (!newer.has(phone.numero)) records.set(phone.numero, phone);
  arrange();
  for (const [numero, phone] of shown) phone.draw(records.get(numero));
}

function changed(record) {
  const { numero, state, messages } = record;
  const before = records.get(numero);
  records.set(numero, record);
  shown.get(numero)?.draw(record);
  showWaiting();
  const message = messages.at(-1);
  const isNew = message !== undefined && (!before || message.at !== before.messages.at(-1)?.at);
  if (isNew) byId('phones-news').textContent = `Mensaje nuevo en ${numero}: ${message.text}`;
  const isStarted = state === 'starting' && before?.state !== 'starting';
  if (!before) arrange();
  // Nothing moves while the person is busy with a phone.
  if ((isNew || isStarted || !before) && !drawer.matches(':hover, :focus-within')) reveal(numero);
}

function removed(numero) {
  records.delete(numero);
  arrange();
}

/** Scrolls to a phone, unless the filter excludes it; if there are too many, it takes the place of another one. */
function reveal(numero) {
  if (!shown.has(numero)) arrange(numero);
  shown.get(numero)?.reveal();
}

/**
 * Shows the phones that the filter finds; of too many, those that ask for something. What is shown stays where it is,
 * so that nothing moves away from the pointer.
 *
 * @param {string} [first]
 */
function arrange(first) {
  // People type spaces, and numeros have none.
  const wanted = input.value.replace(/\s/g, '');
  const all = [...records.values()];
  const asking = [
    ...all.filter(({ code }) => code !== null),
    ...all.filter(({ state }) => state !== 'connected'),
  ];
  const order = new Set([first, ...shown.keys(), ...[...asking, ...all].map(({ numero }) => numero)]);
  const found = [...order].filter((numero) => records.has(numero) && numero.includes(wanted));
  const kept = found.slice(0, MOST);

  for (const [numero, { element }] of shown) if (!kept.includes(numero)) element.remove();
  shown = new Map(kept.map((numero) => [numero, shown.get(numero) ?? new Phone(records.get(numero))]));
  for (const [index, { element }] of [...shown.values()].entries()) {
    if (list.children[index] !== element) list.insertBefore(element, list.children[index] ?? null);
  }
  filter.hidden = all.length < MANY && wanted === '';
  byId('phones-count').textContent = countText(all.length, found.length, kept.length);
  showWaiting();
}

/** Counts the phones that can scan a code, in the bar. */
function showWaiting() {
  const waiting = [...records.values()].filter(({ code }) => code !== null).length;
  const words = waiting === 1 ? ' espera que lo escaneen' : ' esperan que los escaneen';
  const rest = html('span', { class: 'visually-hidden' }, words);
  const counter = byId('phones-waiting');
  counter.dataset.count = waiting;
  counter.replaceChildren(...(waiting > 0 ? [rest] : []));
}

function countText(all, found, kept) {
  if (all === 0) return 'Todavía no hay teléfonos. Agrega una sesión en el panel.';
  if (found === 0) return 'Ningún teléfono tiene ese número.';
  return kept < found ? `Aquí hay ${kept} de ${found}. Busca los demás por su número.` : '';
}
