import { html } from '../dom.js';
import { chapters } from './scenes.js';

const gallery = document.getElementById('gallery');
const contents = document.getElementById('chapters');

const links = [{ id: 'indice', title: 'Índice' }, ...chapters];
contents.append(...links.map(({ id, title }) => html('a', { href: `#${id}` }, title)));
addEventListener('hashchange', show);
show();

/** Shows the chapter of the address, or all of them. */
function show() {
  const chapter = chapters.find(({ id }) => `#${id}` === location.hash);
  for (const link of contents.children)
    link.ariaCurrent = link.hash === `#${chapter?.id ?? 'indice'}` ? 'page' : null;
  const entries = html('ul', { class: 'index' }, ...chapters.map(entryOf));
  const figures = chapter?.scenes.map((scene) => figureOf({ isWindow: chapter.isWindow, ...scene }));
  gallery.replaceChildren(...(figures ?? [entries]));
  scrollTo(0, 0);
}

/** A chapter with its picture: one of the scenes, small, that nobody can use. */
function entryOf({ id, title, note, cover, scenes }) {
  const frame = frameOf(cover, { title, inert: '' });
  const picture = html('div', { class: 'thumb', inert: '', 'aria-hidden': 'true' }, frame);
  new ResizeObserver(() => {
    frame.style.scale = picture.clientWidth / frame.clientWidth;
  }).observe(picture);
  const count = html('small', {}, `${scenes.length} escenas`);
  const words = html('span', { class: 'quiet' }, note);
  return html('li', {}, picture, html('p', {}, html('a', { href: `#${id}` }, title), count, words));
}

/** @param {import('./scenes.js').Scene} scene */
function figureOf({ id, title, isWindow }) {
  // The focus stays out of a scene until it has been played.
  const frame = frameOf(id, { title, inert: '', class: isWindow ? 'window' : 'whole' });
  const name = `Abrir sola: ${title}`;
  const alone = html('a', { class: 'flat', href: frame.src, 'aria-label': name }, 'Abrir sola');
  return html('figure', { id }, html('figcaption', {}, html('h2', {}, title), alone), frame);
}

function frameOf(id, attributes) {
  return html('iframe', { src: `states/scene.html?escena=${id}`, loading: 'lazy', ...attributes });
}
