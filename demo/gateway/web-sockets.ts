import { type ServerOptions, WebSocketServer } from 'ws';

/** How long a client may take for the closing handshake, in milliseconds. */
const CLOSE_TIMEOUT = 1_000;

/**
 * ws's own server, except that it waits one second instead of thirty for the closing handshake: until then it keeps all
 * unread data.
 */
export class PromptWebSocketServer extends WebSocketServer {
  constructor(options: ServerOptions) {
    // @types/ws 8.18 lacks this option; a literal with it would not compile.
    const prompt = { ...options, closeTimeout: CLOSE_TIMEOUT };
    super(prompt);
  }
}
