import { Board } from './board.js';
import { ask, follow } from './starter.js';
import { Story } from './story.js';
import { texts } from './texts.js';

const byId = (id) => document.getElementById(id);

const problem = byId('problem');
const add = byId('add');

/** Asks the program behind the page for something, and says why it refuses. */
async function act(path) {
  problem.textContent = '';
  try {
    await ask(path);
  } catch (error) {
    problem.textContent = error.message;
  }
}

const board = new Board({ servers: byId('servers'), free: byId('free'), none: byId('free-none') }, act);
const story = new Story({
  carried: byId('carried'),
  label: byId('carried-label'),
  watch: byId('watch'),
  time: byId('watch-time'),
  log: byId('log'),
});

add.addEventListener('click', () => {
  if (add.ariaDisabled !== 'true') void act('servers');
});

follow({
  changed(view) {
    document.body.removeAttribute('data-lost');
    board.show(view);
    story.hear(view);
    add.ariaDisabled = String(!view.canGrow);
    byId('place').textContent = texts.place(view.here);
    if (problem.textContent === texts.lost) problem.textContent = '';
  },
  lost() {
    document.body.setAttribute('data-lost', '');
    problem.textContent = texts.lost;
  },
});
