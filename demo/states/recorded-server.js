/** The state texts that every server of the contract has. */
export const STATES = {
  starting: 'AUTENTICANDO...',
  connected: 'CONNECTED',
  off: 'DESCONECTADO',
  closing: 'CERRANDO SESIÓN...',
};

/** The id of every test message. */
export const MESSAGE = 'recorded';

/** What a push makes of a session. */
const AFTER = {
  qr: ({ numero }, qrCode) => ({ numero, state: STATES.starting, qrCode, waiting: false }),
  authenticated: ({ qrCode: _, ...session }) => session,
  ready: ({ numero }) => ({ numero, state: STATES.connected, waiting: false }),
  disconnected: ({ numero }) => ({ numero, state: STATES.off, waiting: false }),
  qr_timeout: ({ numero }) => ({ numero, state: STATES.off, waiting: false }),
  change_state: (session, state) => ({ ...session, state }),
};

/** No ping is ever due on a page that somebody looks at. */
const NEVER_MS = 1e9;
const HANDSHAKE = {
  sid: 'recorded',
  upgrades: [],
  pingInterval: NEVER_MS,
  pingTimeout: NEVER_MS,
  maxPayload: 1e6,
};

/**
 * @typedef {{ numero: string, state: string, qrCode?: string, waiting: boolean }} Session - As in the server's list.
 *
 * @typedef {{ status: number, message: string } | 'never' | undefined} Reply - A failure, no answer at all, or success.
 *
 * @typedef {object} Recording
 * @property {Session[]} sessions
 * @property {Reply} [list]
 * @property {(numero: string) => Reply} [start]
 * @property {(to: string) => Reply} [send]
 * @property {string[]} [actions] - What the user may do; everything by default.
 * @property {Record<string, unknown>} [extensions] - The announced extensions, each with the answer to its call.
 */

/**
 * A server of the panel's contract, in the page: it answers calls from a recording, and pushes on command. It
 * replaces `fetch` and `XMLHttpRequest`, so that the panel is the real one and nothing leaves the page.
 */
export class RecordedServer {
  #recording;
  /** @type {Map<string, Session>} */
  #sessions;
  /** Packets for the next poll, and the poll that waits for them. */
  #packets = [`0${JSON.stringify(HANDSHAKE)}`];
  #poll;
  #isLost = false;

  /** @param {Recording} recording */
  constructor(recording) {
    this.#recording = recording;
    this.#sessions = new Map(recording.sessions.map((session) => [session.numero, session]));
    const receive = (poll, body) => this.#receive(poll, body);
    window.fetch = (url, init) => this.#call(new Request(url, init));
    window.XMLHttpRequest = class extends RecordedPoll {
      send(body) {
        receive(this, body);
      }
    };
  }

  /**
   * Pushes an event of the contract. From then on the list says the same.
   *
   * @param {keyof typeof AFTER} type
   * @param {string} numero
   * @param {[string?]} detail - The code or the state.
   */
  push(type, numero, ...detail) {
    this.#sessions.set(numero, AFTER[type](this.#sessions.get(numero), ...detail));
    if (type === 'change_state') this.tell('session:change_state', { numero, state: detail[0] });
    else this.tell(`session:${type}:${numero}`, ...detail);
  }

  /** Pushes any event. */
  tell(event, ...payload) {
    this.#emit(`42${JSON.stringify([event, ...payload])}`);
  }

  /** Ends the live connection, and refuses every other. */
  lose() {
    this.#isLost = true;
    this.#poll?.end(503, '');
  }

  /** Socket.IO over long polling: a POST brings packets, and a GET waits for some. */
  #receive(poll, body) {
    if (this.#isLost) return poll.end(503, '');
    if (poll.method === 'POST') {
      poll.end(200, 'ok');
      // CONNECT is answered; everything else that a panel sends may be ignored.
      if (String(body).startsWith('40')) this.#join();
    } else {
      this.#poll = poll;
      this.#flush();
    }
  }

  #join() {
    this.#emit(`40${JSON.stringify({ sid: HANDSHAKE.sid })}`);
    const { actions, extensions } = this.#recording;
    if (actions) this.tell('server:permissions', { actions });
    if (extensions) this.tell('server:extensions', { extensions: Object.keys(extensions) });
  }

  #emit(packet) {
    this.#packets.push(packet);
    this.#flush();
  }

  #flush() {
    if (!this.#poll || this.#packets.length === 0) return;
    this.#poll.end(200, this.#packets.splice(0).join('\x1e'));
    this.#poll = undefined;
  }

  /** @param {Request} request */
  async #call(request) {
    const { list, start, send, extensions } = this.#recording;
    const last = decodeURIComponent(new URL(request.url).pathname.split('/').at(-1));
    if (extensions && Object.hasOwn(extensions, last)) {
      // The panel resolves a link's address against it.
      return Object.defineProperty(Response.json(extensions[last]), 'url', { value: request.url });
    }
    if (request.method === 'POST') {
      const { mensaje } = await request.json();
      return answer(request, send?.(String(mensaje.contactos[0])), { id: MESSAGE });
    }
    if (request.method === 'DELETE') {
      this.#sessions.delete(last);
      return answer(request, undefined, {});
    }
    if (last === 'sessions') return answer(request, list, [...this.#sessions.values()]);
    const reply = start?.(last);
    if (!reply) this.#sessions.set(last, { numero: last, state: STATES.starting, waiting: true });
    return answer(request, reply, { numero: last });
  }
}

/** What Socket.IO's client uses of an XMLHttpRequest. */
class RecordedPoll {
  readyState = 0;
  onreadystatechange = () => {};

  open(method) {
    this.method = method;
  }

  setRequestHeader() {}

  abort() {
    this.onreadystatechange = () => {};
  }

  end(status, responseText) {
    setTimeout(() => {
      Object.assign(this, { readyState: 4, status, responseText });
      this.onreadystatechange();
    });
  }
}

/**
 * @param {Request} request
 * @param {Reply} reply
 * @param {unknown} success - The body of a success.
 */
function answer({ signal }, reply, success) {
  if (reply === undefined) return Response.json(success);
  if (reply !== 'never') return Response.json({ message: reply.message }, { status: reply.status });
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
  });
}
