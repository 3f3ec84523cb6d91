/** Sums up the sessions of a server, from its panel's events. */
export class SessionSummary {
  /** Whether the panel is connected to its server. */
  live = false;
  /** When the last event about sessions arrived; undefined before the first. */
  readAt;
  /** How many sessions need a person, wait, and dropped, and how many there are. */
  attention = { act: 0, wait: 0, dropped: 0, total: 0 };

  hear({ type, detail }) {
    if (type === 'wo-connection-change') this.live = detail.connected;
    if (type === 'wo-attention') this.attention = detail;
    if (['wo-attention', 'wo-sessions', 'wo-session-change'].includes(type)) this.readAt = new Date();
  }
}
