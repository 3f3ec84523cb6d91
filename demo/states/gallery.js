import { html } from '../phones/dom.js';
import { chapters } from './scenes.js';

const gallery = document.getElementById('gallery');
const contents = document.getElementById('chapters');

/** What had the focus last. */
let focused;
document.addEventListener('focusin', ({ target }) => {
  if (target.localName !== 'iframe') focused = target;
});

contents.append(...[{ id: '', title: 'Índice' }, ...chapters].map(linkTo));
addEventListener('hashchange', show);
await show();

/** Shows the chapter of the address, or the index. Frames load one after the other, so that the first is there soon. */
async function show() {
  const id = location.hash.slice(1);
  const chapter = chapters.find((one) => one.id === id || one.scenes.some((scene) => scene.id === id));
  for (const link of contents.children) {
    link.ariaCurrent = link.hash.slice(1) === (chapter?.id ?? '') ? 'page' : null;
  }
  const figures = chapter?.scenes.map((scene) => figureOf(scene)) ?? [];
  gallery.replaceChildren(
    ...(chapter ? [html('h2', { text: chapter.title }), ...figures] : chapters.map(entryOf)),
  );
  // The browser has looked for it already, in another chapter.
  const scene = chapter?.id === id ? null : document.getElementById(id);
  if (scene) scene.scrollIntoView();
  else scrollTo(0, 0);
  for (const figure of figures) {
    if (!figure.isConnected) return;
    await load(figure);
  }
}

function linkTo({ id, title }) {
  return html('a', { class: 'chapter', href: `#${id}`, text: title });
}

/** A chapter in the index. */
function entryOf({ title, scenes }) {
  const links = scenes.map(({ id, title, note }) =>
    html('li', {}, html('a', { href: `#${id}`, text: title }), html('p', { text: note })),
  );
  return html('section', { class: 'entry' }, html('h2', { text: title }), html('ul', {}, ...links));
}

/** @param {import('./scenes.js').Scene} scene */
function figureOf({ id, title, note, isWindow }) {
  const address = `states/scene.html?escena=${id}`;
  // Keep the focus out of a scene that is still being played.
  const frame = html('iframe', { title, inert: true, class: isWindow ? 'window' : 'whole' });
  const alone = html('a', { class: 'alone', href: address, text: 'Abrir sola' });
  alone.ariaLabel = `Abrir sola: ${title}`;
  const caption = html('figcaption', {}, html('h3', { text: title }), html('p', { text: note }), alone);
  return html('figure', { id }, caption, frame);
}

/** Loads the scene of a figure. */
async function load(figure) {
  const frame = figure.querySelector('iframe');
  const loaded = new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
  frame.src = figure.querySelector('.alone').href;
  await loaded;
  // Another chapter may be shown by now.
  if (frame.contentDocument) watch(frame);
}

/**
 * Once a scene has been played, its frame can be used, and the focus that its dialog took goes back to the page. Makes a
 * frame that is shown whole as high as its content.
 */
function watch(frame) {
  const root = frame.contentDocument.documentElement;
  const settle = () => {
    if (root.dataset.played === undefined) return;
    frame.inert = false;
    if (document.activeElement !== frame) return;
    frame.blur();
    focused?.focus({ preventScroll: true });
  };
  new MutationObserver(settle).observe(root, { attributeFilter: ['data-played'] });
  settle();
  if (frame.className === 'window') return;
  const fit = () => {
    frame.height = Math.ceil(root.getBoundingClientRect().height);
  };
  new ResizeObserver(fit).observe(root);
}
