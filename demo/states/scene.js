import { RecordedServer } from './recorded-server.js';
import { chapters } from './scenes.js';
import { stageOf } from './stage.js';

const id = new URLSearchParams(location.search).get('escena');
const scenes = chapters.flatMap((chapter) => chapter.scenes);
const scene = scenes.find((one) => one.id === id) ?? scenes[0];

const root = document.documentElement;
const panel = document.querySelector('whatsapp-operadores');
for (const [name, value] of Object.entries(scene.attributes ?? {})) panel.setAttribute(name, value);
document.title = `${scene.title} · Estados del panel`;

// Before the panel's script, which runs after this one.
const stage = stageOf(panel, new RecordedServer(scene));

// In the gallery, what takes the focus would scroll the page to its frame.
const { focus } = HTMLElement.prototype;
HTMLElement.prototype.focus = function () {
  focus.call(this, { preventScroll: true });
};

/** The gallery's frame, if this page is in it. */
const frame = window.frameElement;
if (frame?.className === 'whole') {
  const fit = () => {
    frame.height = Math.ceil(root.getBoundingClientRect().height);
  };
  new ResizeObserver(fit).observe(root);
}

customElements.whenDefined(panel.localName).then(async () => {
  await scene.play?.(stage);
  // A dialog takes the focus when it is drawn.
  await nextFrame();
  await nextFrame();
  HTMLElement.prototype.focus = focus;
  root.dataset.played = scene.id;
  if (!frame) return;
  // From now on it can be used, and the focus that its dialog took goes back to the gallery.
  frame.inert = false;
  frame.blur();
});

function nextFrame() {
  return new Promise((resolve) => requestAnimationFrame(resolve));
}
