import { html } from '../dom.js';
import { chapters } from './scenes.js';

const gallery = document.getElementById('gallery');
const contents = document.getElementById('chapters');

contents.append(...chapters.map(({ id, title }) => html('a', { href: `#${id}` }, title)));
addEventListener('hashchange', show);
await show();

/** Shows the chapter of the address. Its frames load one after the other, so that the first is there soon. */
async function show() {
  const chapter = chapters.find(({ id }) => `#${id}` === location.hash) ?? chapters[0];
  for (const link of contents.children) link.ariaCurrent = link.hash === `#${chapter.id}` ? 'page' : null;
  const figures = chapter.scenes.map(figureOf);
  gallery.replaceChildren(html('h2', {}, chapter.title), ...figures);
  scrollTo(0, 0);
  for (const figure of figures) {
    const frame = figure.querySelector('iframe');
    const loaded = new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
    frame.src = figure.querySelector('a').href;
    await loaded;
    // Another chapter may be shown by now.
    if (!figure.isConnected) return;
  }
}

/** @param {import('./scenes.js').Scene} scene */
function figureOf({ id, title, note, isWindow }) {
  const address = `states/scene.html?escena=${id}`;
  // The focus stays out of a scene until it has been played.
  const frame = html('iframe', { title, inert: '', class: isWindow ? 'window' : 'whole' });
  const alone = html('a', { href: address, 'aria-label': `Abrir sola: ${title}` }, 'Abrir sola');
  const caption = html('figcaption', {}, html('h3', {}, title), html('p', { class: 'quiet' }, note), alone);
  return html('figure', { id }, caption, frame);
}
