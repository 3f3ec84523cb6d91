import { RecordedServer } from './recorded-server.js';
import { chapters } from './scenes.js';
import { Stage } from './stage.js';

const id = new URLSearchParams(location.search).get('escena');
const scenes = chapters.flatMap((chapter) => chapter.scenes);
const scene = scenes.find((one) => one.id === id) ?? scenes[0];

const panel = document.querySelector('whatsapp-operadores');
for (const [name, value] of Object.entries(scene.attributes ?? {})) panel.setAttribute(name, value);
document.title = `${scene.title} · Estados del panel`;

// Before the panel's script, which runs after this one.
const stage = new Stage(new RecordedServer(scene), panel);

// In the gallery, what takes the focus would scroll the page to its frame.
const { focus } = HTMLElement.prototype;
HTMLElement.prototype.focus = function () {
  focus.call(this, { preventScroll: true });
};

customElements.whenDefined(panel.localName).then(async () => {
  await scene.play?.(stage);
  // A dialog takes the focus when it is drawn.
  await nextFrame();
  await nextFrame();
  HTMLElement.prototype.focus = focus;
  document.documentElement.dataset.played = scene.id;
});

function nextFrame() {
  return new Promise((resolve) => requestAnimationFrame(resolve));
}
