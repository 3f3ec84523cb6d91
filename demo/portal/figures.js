import { html } from '../phones/dom.js';

const time = new Intl.DateTimeFormat('es', { hour: '2-digit', minute: '2-digit' });

/** The badge of the sidebar: how many sessions are connected, of how many; grey while that may be old. */
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

/** The figures of the summary, where it is the view. */
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
