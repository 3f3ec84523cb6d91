/** The panel's few drawings; each is decoration beside a text or an accessible name. */
import { memo } from 'react';

export function PlusIcon() {
  return (
    <svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
      <path d="M12 5v14M5 12h14" fill="none" stroke="currentColor" strokeWidth="2.5" strokeLinecap="round" />
    </svg>
  );
}

export function CloseIcon() {
  return (
    <svg viewBox="0 0 24 24" width="18" height="18" aria-hidden="true">
      <path
        d="M6 6l12 12M18 6L6 18"
        fill="none"
        stroke="currentColor"
        strokeWidth="2"
        strokeLinecap="round"
      />
    </svg>
  );
}

/** An element, not a component: all cards share it. */
export const historyIcon = (
  <svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
    <use href="#history" />
  </svg>
);

/** It points down, and is turned where something is open. */
export const chevronIcon = (
  <svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
    <use href="#chevron" />
  </svg>
);

/** Two sliders. */
export const toolsIcon = (
  <svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true">
    <use href="#tools" />
  </svg>
);

/** What every card draws, once for all of them: a thousand cards save a megabyte. */
export const Drawings = memo(function Drawings() {
  return (
    <svg className="drawings" aria-hidden="true">
      <g id="phone">
        <circle cx="200" cy="200" r="150" opacity=".1" />
        <rect className="drawing-phone" x="136" y="84" width="128" height="232" rx="22" />
        <path
          d="M172 124h38a20 20 0 0 1 0 40h-38a20 20 0 0 1 0-40zM192 180h36a18 18 0 0 1 0 36h-36a18 18 0 0 1 0-36z"
          opacity=".3"
        />
        <circle className="drawing-badge" cx="262" cy="286" r="46" />
      </g>
      <path id="connected" d="M241 287l15 15 28-31" />
      <path id="waiting" d="M262 260v27l17 11" />
      <path id="off" d="M262 258v25M244 269a25 25 0 1 0 36 0" />
      <path id="blocked" d="M240 286h44" />
      <path id="unknown" d="M249 275a13 13 0 1 1 19 12q-6 3-6 9M262 311h.1" />
      <path id="history" d="M4 12a8 8 0 1 0 2.500-5.800M4 4v4h4M12 8v4.500l3 2" />
      <path id="chevron" d="M6 9l6 6l6-6" />
      <path id="tools" d="M4 7h9M19 7h1M16 4v6M4 17h1M11 17h9M8 14v6" />
    </svg>
  );
});
