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
      <g id="placeholder">
        <circle className="placeholder-disc" cx="200" cy="200" r="150" />
        <rect className="placeholder-phone" x="136" y="84" width="128" height="232" rx="22" />
        <rect className="placeholder-screen" x="148" y="106" width="104" height="176" rx="8" />
        <path
          className="placeholder-bubble"
          d="M164 132h58a10 10 0 0 1 10 10v18a10 10 0 0 1-10 10h-44l-14 12v-40a10 10 0 0 1 0-10z"
        />
        <path
          className="placeholder-bubble placeholder-answer"
          d="M236 200h-46a10 10 0 0 0-10 10v16a10 10 0 0 0 10 10h34l12 12z"
        />
        <circle className="placeholder-key" cx="200" cy="299" r="7" />
      </g>
      <path id="history" d="M4 12a8 8 0 1 0 2.500-5.800M4 4v4h4M12 8v4.500l3 2" />
      <path id="chevron" d="M6 9l6 6l6-6" />
      <path id="tools" d="M4 7h9M19 7h1M16 4v6M4 17h1M11 17h9M8 14v6" />
    </svg>
  );
});
