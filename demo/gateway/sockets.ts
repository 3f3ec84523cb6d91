import type { Server as HttpServer } from 'node:http';
import { type Namespace, Server } from 'socket.io';
import { CHANGE_STATE, eventName } from '../../src/wire.ts';
import { callerOf } from './caller.ts';
import { gatherWrites } from './gather.ts';
import { type Reach, refusalOf } from './origins.ts';
import type { TokenCheck } from './tokens.ts';
import type { Push } from './transitions.ts';

export interface Sockets {
  readonly io: Server;
  /** Resolves when all that was pushed before is on its way. */
  readonly written: () => Promise<void>;
}

/** Attaches Socket.IO to the HTTP server, on the default path, for those who may use the gateway. */
export function createSockets(server: HttpServer, reach: Reach, tokens: TokenCheck): Sockets {
  const io = new Server(server, {
    // Panels only listen (spec §7): nothing large has to come in.
    maxHttpBufferSize: 10_000,
    cors: { origin: [...reach.allowOrigins], credentials: true },
    allowRequest: (request, answer) => {
      const refusal = refusalOf(request.headers, reach);
      answer(refusal ?? null, refusal === undefined);
    },
  });
  const written = gatherWrites(server);
  const wantToken = (namespace: Namespace) => {
    namespace.use(({ handshake: { auth, headers, address } }, next) => {
      const token: unknown = auth.token;
      const denial = tokens(token, callerOf(address, headers['x-forwarded-for']));
      next(denial && new Error(denial.message));
    });
  };
  // Every namespace, those that are made later too: each of them tells what only a few may hear.
  io.on('new_namespace', wantToken);
  wantToken(io.of('/'));
  return { io, written };
}

/** Tells every panel, by the names of spec §7. */
export function emitPush(io: Server, push: Push): void {
  switch (push.event) {
    case 'qr':
      io.emit(eventName('qr', push.numero), push.code);
      return;
    case 'change_state':
      io.emit(CHANGE_STATE, { numero: push.numero, state: push.state });
      return;
    default:
      io.emit(eventName(push.event, push.numero));
  }
}
