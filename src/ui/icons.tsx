/** The panel's few drawings; each is decoration beside a text or an accessible name. */

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

/** An element and no component: all cards share the one that there is. */
export const historyIcon = (
  <svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
    <use href="#history" />
  </svg>
);
