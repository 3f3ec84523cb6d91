import { html } from '../phones/dom.js';

const time = new Intl.DateTimeFormat('es', { hour: '2-digit', minute: '2-digit' });

/** Fills the sidebar's badge: connected sessions of all; grey while that may be outdated. */
export function showBadge(badge, { connected, total, live, readAt }) {
  badge.classList.toggle('text-bg-primary', live);
  badge.classList.toggle('text-bg-secondary', !live);
  badge.hidden = readAt === undefined;
  if (readAt === undefined) return;
  const words = `${connected} de ${total} sesiones conectadas${live ? '' : `, a las ${time.format(readAt)}`}`;
  badge.title = words;
  badge.replaceChildren(
    html('span', { text: `${connected}/${total}`, 'aria-hidden': 'true' }),
    html('span', { text: words, class: 'visually-hidden' }),
  );
}

/** Fills the figures of the summary, if it is the current view. */
export function showSummary(view, { connected, total, readAt }) {
  const facts = {
    connected: readAt ? connected : '–',
    others: readAt ? total - connected : '–',
    total: readAt ? total : '–',
    age: readAt
      ? `Última noticia del panel: ${time.format(readAt)}.`
      : 'Todavía no hay datos: abre la pestaña Sesiones una vez.',
  };
  for (const [name, value] of Object.entries(facts)) {
    const place = view.querySelector(`[data-fact="${name}"]`);
    if (place) place.textContent = value;
  }
}
