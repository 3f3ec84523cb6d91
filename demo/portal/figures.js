import { html } from '../phones/dom.js';

const time = new Intl.DateTimeFormat('es', { hour: '2-digit', minute: '2-digit' });

/** Fills the sidebar's badge: how many sessions need a person, if any; grey while that may be outdated. */
export function showBadge(badge, { attention: { act, dropped, total }, live, readAt }) {
  badge.classList.toggle('text-bg-danger', live);
  badge.classList.toggle('text-bg-secondary', !live);
  badge.hidden = act === 0;
  if (act === 0) return;
  const fell = dropped === 0 ? '' : `; se cayeron: ${dropped}`;
  const words = `Requieren atención: ${act} de ${total}${fell}${live ? '' : ` (a las ${time.format(readAt)})`}`;
  badge.title = words;
  badge.replaceChildren(
    html('span', { text: String(act), 'aria-hidden': 'true' }),
    html('span', { text: words, class: 'visually-hidden' }),
  );
}

/** Fills the figures of the summary, if it is the current view. */
export function showSummary(view, { attention: { act, wait, total }, readAt }) {
  const facts = {
    well: readAt ? total - act - wait : '–',
    act: readAt ? act : '–',
    total: readAt ? total : '–',
    age: readAt ? `Última noticia del panel: ${time.format(readAt)}.` : 'Todavía no hay noticias del panel.',
  };
  for (const [name, value] of Object.entries(facts)) {
    const place = view.querySelector(`[data-fact="${name}"]`);
    if (place) place.textContent = value;
  }
}
