const CONNECTED = 'CONNECTED';

/** What a panel's events tell about the sessions of its server. */
export class SessionSummary {
  /** Whether the panel hears its server now. */
  live = false;
  /** When the last word came; undefined while there was none. */
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
