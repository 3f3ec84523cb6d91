const CONNECTED = 'CONNECTED';

/** Sums up the sessions of a server, from its panel's events. */
export class SessionSummary {
  /** Whether the panel is connected to its server. */
  live = false;
  /** When the last event arrived; undefined before the first. */
  readAt;
  #states = new Map();

  hear({ type, detail }) {
    switch (type) {
      case 'wo-sessions':
        this.#states = new Map(detail.sessions.map(({ numero, state }) => [numero, state]));
        this.readAt = new Date();
        break;
      case 'wo-session-change':
        if (detail.state === undefined) this.#states.delete(detail.numero);
        else this.#states.set(detail.numero, detail.state);
        this.readAt = new Date();
        break;
      case 'wo-connection-change':
        this.live = detail.connected;
        break;
    }
  }

  get total() {
    return this.#states.size;
  }

  get connected() {
    return [...this.#states.values()].filter((state) => state === CONNECTED).length;
  }
}
