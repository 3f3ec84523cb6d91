import { html } from '../phones/dom.js';
import { detailText, summaryText } from './log-texts.js';

/** As many as anybody would scroll through: a page that is open all day must not grow. */
const MAX_ENTRIES = 200;

const time = new Intl.DateTimeFormat('es', { timeStyle: 'medium' });

/** Starts the live list of the panels' events, newest first. */
export function startLog() {
  const log = document.getElementById('log');
  const list = document.getElementById('log-list');
  const count = document.getElementById('log-count');
  const toggle = document.getElementById('log-toggle');

  const showCount = () => {
    count.textContent = list.childElementCount;
    log.classList.toggle('log-used', list.childElementCount > 0);
  };
  document.getElementById('log-clear').addEventListener('click', () => {
    list.replaceChildren();
    showCount();
  });
  toggle.addEventListener('click', () => {
    const open = log.classList.toggle('log-open');
    toggle.ariaExpanded = String(open);
    toggle.ariaLabel = open ? 'Ocultar los eventos' : 'Mostrar los eventos';
  });

  return {
    add(event) {
      list.prepend(entry(event));
      if (list.childElementCount > MAX_ENTRIES) list.lastElementChild.remove();
      showCount();
    },
  };
}

function entry({ type, detail, target }) {
  return html(
    'li',
    {},
    html(
      'details',
      { class: `log-entry ${type}` },
      html(
        'summary',
        {},
        html('span', { class: 'log-name', text: type }),
        html('span', { class: 'log-place', text: `${target.dataset.sede} · ${time.format(new Date())}` }),
        html('span', { class: 'log-words', text: summaryText(type, detail) }),
      ),
      html('pre', { text: detailText(detail), tabindex: '0' }),
    ),
  );
}
