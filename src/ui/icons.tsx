/** The panel's few drawings; each is decoration beside a text or an accessible name. Elements: all users share them. */

const icon = (lines: string, width = 18) => (
  <svg viewBox="0 0 24 24" width={width} aria-hidden="true">
    <path d={lines} />
  </svg>
);

/** The first are of the kinds of states. The chevron points down, and is turned where something is open. */
export const icons = {
  nothing: icon('M5 12.8l4.6 4.6L19 7.6'),
  wait: icon('M12 4.3a7.7 7.7 0 1 0 .1 0M12 8v4.4l3 1.8'),
  scan: icon('M5 9V5h4m6 0h4v4m0 6v4h-4m-6 0H5v-4M8 12h8'),
  off: icon('M12 4v8M7.2 7.2a7 7 0 1 0 9.6 0'),
  act: icon('M12 5v9M12 18.5h.1'),
  unknown: icon('M9 8.8a3 3 0 1 1 4.6 2.6q-1.6 1-1.6 2.8M12 18h.1'),
  plus: icon('M12 5.5v13M5.5 12h13', 20),
  close: icon('M7 7l10 10M17 7L7 17'),
  history: icon('M4.3 12a7.7 7.7 0 1 0 2.3-5.5M4.3 4.6v3.6h3.6M12 8v4.4l3 1.8'),
  chevron: icon('M7 10l5 5l5-5'),
  more: icon('M6 11.5a.5.5 0 1 0 .1 0M12 11.5a.5.5 0 1 0 .1 0M18 11.5a.5.5 0 1 0 .1 0'),
  search: icon('M11 5a6 6 0 1 0 .1 0M15.5 15.5L20 20'),
  group: icon('M4 6h5l2 2h9v10H4z'),
  sort: icon('M5 7h14M7.5 12h9M10 17h4'),
  list: icon('M5 7h14M5 12h14M5 17h14'),
  cards: icon('M5 5h5.5v5.5h-5.5zm8.5 0h5.5v5.5h-5.5zm0 8.5h5.5v5.5h-5.5zm-8.5 0h5.5v5.5h-5.5z'),
};

/** The shape of a code: modules that are dots of a line which runs through all of it, and its three corners above them. */
export const ghost = (
  <svg className="placeholder" viewBox="-1 -1 27 27" width={400} height={400} aria-hidden="true">
    <path
      strokeWidth=".8"
      strokeDasharray="0 1 0 2 0 1 0 1 0 3 0 1 0 1 0 2"
      d={`M.5.5${'h24v1h-24v1'.repeat(12)}h24`}
    />
    <path
      fill="var(--_wash)"
      d="M.5.5h6v6h-6zm2 2h2v2h-2zv1h2M18.5.5h6v6h-6zm2 2h2v2h-2zv1h2M.5 18.5h6v6h-6zm2 2h2v2h-2zv1h2"
    />
  </svg>
);
