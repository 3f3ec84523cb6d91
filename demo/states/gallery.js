import { html } from '../phones/dom.js';
import { chapters } from './scenes.js';

const gallery = document.getElementById('gallery');
const contents = document.getElementById('chapters');

const frames = [];
/** What had the focus last. */
let focused;
document.addEventListener('focusin', ({ target }) => {
  if (target.localName !== 'iframe') focused = target;
});

for (const { title, scenes } of chapters) {
  const id = title
    .toLowerCase()
    .normalize('NFD')
    .replace(/[^a-z]/g, '');
  contents.append(html('a', { class: 'chapter', href: `#${id}`, text: title }));
  const figures = scenes.map((scene) => figureOf(scene));
  gallery.append(html('section', { 'aria-labelledby': id }, html('h2', { id, text: title }), ...figures));
}

// The browser has looked for it already, in an empty page.
document.getElementById(location.hash.slice(1))?.scrollIntoView();

// One after the other, so that the first ones are there at once.
for (const { frame, address } of frames) {
  const loaded = new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
  frame.src = address;
  await loaded;
  watch(frame);
}

/** @param {import('./scenes.js').Scene} scene */
function figureOf({ id, title, note, isWindow }) {
  const address = `states/scene.html?escena=${id}`;
  // Keep the focus out of a scene that is still being played.
  const frame = html('iframe', { title, inert: true, class: isWindow ? 'window' : 'whole' });
  frames.push({ frame, address });
  const alone = html('a', { class: 'alone', href: address, text: 'Abrir sola' });
  alone.ariaLabel = `Abrir sola: ${title}`;
  const caption = html('figcaption', {}, html('h3', { text: title }), html('p', { text: note }), alone);
  return html('figure', { id }, caption, frame);
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
