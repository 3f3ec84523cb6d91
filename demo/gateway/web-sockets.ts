import { type ServerOptions, WebSocketServer } from 'ws';

/** How long a client may take to say goodbye, in milliseconds. */
const CLOSE_TIMEOUT = 1_000;

/**
 * ws's own server, but one that waits a second for the goodbye of a client whose WebSocket it has closed, and not half a
 * minute: until then it keeps all that the client has not read.
 */
export class PromptWebSocketServer extends WebSocketServer {
  constructor(options: ServerOptions) {
    // @types/ws 8.18 does not know this option: it can be given in place once they do.
    const prompt = { ...options, closeTimeout: CLOSE_TIMEOUT };
    super(prompt);
  }
}
