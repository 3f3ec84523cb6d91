import { startDarkSwitch } from './dark-switch.js';
import { showBadge, showSummary } from './figures.js';
import { startLog } from './log.js';
import { startRouter } from './router.js';
import { assignServer, findOtherServer } from './servers.js';
import { SessionSummary } from './session-summary.js';

const EVENTS = ['wo-connection-change', 'wo-sessions', 'wo-session-change', 'wo-attention', 'wo-error'];
/** The branch whose sessions the badge counts. */
const OWN = 'Centro';

const badge = document.getElementById('badge');
const view = document.getElementById('view');
const summary = new SessionSummary();
const log = startLog();
startDarkSwitch(document.getElementById('dark'));

function showFigures() {
  showBadge(badge, summary);
  showSummary(view, summary);
}

// The events bubble: one listener hears every panel, mounted now or later.
for (const name of EVENTS) {
  document.addEventListener(name, (event) => {
    log.add(event);
    if (event.target.dataset.sede !== OWN) return;
    summary.hear(event);
    showFigures();
  });
}

const other = await findOtherServer();
startRouter(
  (content) => assignServer(content, other),
  () => {
    // A removed panel sends no events, and a new one has not sent any yet.
    summary.live = false;
    showFigures();
  },
);
