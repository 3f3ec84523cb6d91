/** The panel's few drawings; each is decoration beside a text or an accessible name. */
import type { ReactElement } from 'react';

/** Lines, by the id that `<use>` refers to: the picture's glyph for each kind of state, and what the icons show. */
const LINES = {
  nothing: 'M5 12.8l4.6 4.6L19 7.6',
  wait: 'M12 4.3a7.7 7.7 0 1 0 .1 0M12 8v4.4l3 1.8',
  off: 'M12 4v8M7.2 7.2a7 7 0 1 0 9.6 0',
  act: 'M12 5v9M12 18.5h.1',
  unknown: 'M9 8.8a3 3 0 1 1 4.6 2.6q-1.6 1-1.6 2.8M12 18h.1',
  plus: 'M12 5.5v13M5.5 12h13',
  close: 'M7 7l10 10M17 7L7 17',
  history: 'M4.3 12a7.7 7.7 0 1 0 2.3-5.5M4.3 4.6v3.6h3.6M12 8v4.4l3 1.8',
  chevron: 'M7 10l5 5l5-5',
  more: 'M6 11.5a.5.5 0 1 0 .1 0M12 11.5a.5.5 0 1 0 .1 0M18 11.5a.5.5 0 1 0 .1 0',
  download: 'M12 5v10M8 11l4 4l4-4M5 19h14',
  search: 'M11 5a6 6 0 1 0 .1 0M15.5 15.5L20 20',
  group: 'M4 6h5l2 2h9v10H4z',
  sort: 'M5 7h14M7.5 12h9M10 17h4',
  list: 'M5 7h14M5 12h14M5 17h14',
  cards: 'M5 5h5.5v5.5H5zM13.5 5H19v5.5h-5.5zM5 13.5h5.5V19H5zM13.5 13.5H19V19h-5.5z',
  done: 'M12 3.5a8.5 8.5 0 1 0 .1 0M8.3 12.2l2.6 2.6 4.9-5',
  failed: 'M12 3.5a8.5 8.5 0 1 0 .1 0M12 8v4.6M12 16h.1',
  away: 'M7.5 18.5h9.3a3.7 3.7 0 0 0 .5-7.4A5.6 5.6 0 0 0 7 9.7a4.4 4.4 0 0 0 .5 8.8M4 4l16 16',
  chat: 'M5 5.5h14v10h-8l-4 3.5v-3.5H5z',
};

/** Elements, not components: all users share them. The chevron points down, and is turned where something is open. */
export const icons = Object.fromEntries(
  Object.keys(LINES).map((name) => [
    name,
    <svg key={name} viewBox="0 0 24 24" width={name === 'plus' ? 20 : 18} aria-hidden="true">
      <use href={`#${name}`} />
    </svg>,
  ]),
) as Record<keyof typeof LINES, ReactElement>;

/** What every card draws, once for all of them: a thousand cards save a megabyte. */
export const drawings = (
  <svg display="none" aria-hidden="true">
    {/* The place of a code looks like one. Its modules are the dashes of a line that runs through all of them. */}
    <g id="ghost">
      <path
        strokeWidth="9"
        strokeDasharray="0 12 0 24 0 12 0 12 0 36 0 24 0 12"
        d="M152 56h96v12h-96v12h96v12h-96v12h96v12h-96v12h96M56 152h72v12h-72v12h72v12h-72v12h72v12h-72v12h72v12h-72v12h72M272 152h72v12h-72v12h72v12h-72v12h72v12h-72v12h72v12h-72v12h72M152 272h192v12h-192v12h192v12h-192v12h192v12h-192v12h192"
      />
      <path strokeWidth="11" d="M62 62h60v60h-60zM278 62h60v60h-60zM62 278h60v60h-60z" />
      <path strokeWidth="12" fill="currentColor" d="M80 80h24v24h-24zM296 80h24v24h-24zM80 296h24v24h-24z" />
    </g>
    {Object.entries(LINES).map(([id, d]) => (
      <path key={id} id={id} d={d} />
    ))}
  </svg>
);
