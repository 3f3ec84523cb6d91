/** The panel's few drawings; each is decoration beside a text or an accessible name. */

/** Elements, not components: all users share them. */
export const plusIcon = icon('plus', 24);
export const closeIcon = icon('close', 18);
export const historyIcon = icon('history');
/** It points down, and is turned where something is open. */
export const chevronIcon = icon('chevron');
export const moreIcon = icon('more');
export const toolsIcon = icon('tools', 22);
export const downloadIcon = icon('download');

function icon(name: string, size = 20) {
  return (
    <svg viewBox="0 0 24 24" width={size} aria-hidden="true">
      <use href={`#${name}`} />
    </svg>
  );
}

/** Lines, by the id that `<use>` refers to: what the icons show, and the phone's sign for each kind of state. */
const LINES = {
  nothing: 'M241 287l15 15 28-31',
  wait: 'M262 260v27l17 11',
  off: 'M262 258v25M244 269a25 25 0 1 0 36 0',
  act: 'M240 286h44',
  unknown: 'M249 275a13 13 0 1 1 19 12q-6 3-6 9M262 311h.1',
  plus: 'M12 5v14M5 12h14',
  close: 'M6 6l12 12M18 6L6 18',
  history: 'M4 12a8 8 0 1 0 2.5-5.8M4 4v4h4M12 8v4.5l3 2',
  chevron: 'M6 9l6 6l6-6',
  more: 'M5 12h.1M12 12h.1M19 12h.1',
  download: 'M12 4v11M7 10l5 5l5-5M5 20h14',
  tools: 'M4 7h9M19 7h1M16 4v6M4 17h1M11 17h9M8 14v6',
};

/** What every card draws, once for all of them: a thousand cards save a megabyte. */
export const drawings = (
  <svg display="none" aria-hidden="true">
    <g id="phone">
      <circle cx="200" cy="200" r="150" opacity=".1" />
      <rect x="136" y="84" width="128" height="232" rx="22" />
      <path d="M172 144h38M192 198h36" />
      <circle cx="262" cy="286" r="46" />
    </g>
    {Object.entries(LINES).map(([id, d]) => (
      <path key={id} id={id} d={d} />
    ))}
  </svg>
);
