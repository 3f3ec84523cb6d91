import { type Server as HttpServer, type IncomingMessage, ServerResponse } from 'node:http';
import type { Server } from 'socket.io';
import { bareReply, errorAnswer } from '../http/errors.ts';
import { type OriginPolicy, refusalOf } from '../security/origins.ts';

/** Refuses every request of foreign pages to Socket.IO, whose option `allowRequest` checks only the first. */
export function guardSockets(io: Server, server: HttpServer, policy: OriginPolicy): void {
  io.engine.use((request: IncomingMessage, response: ServerResponse, next: () => void) => {
    const refusal = refusalOf(request.headers, policy);
    if (refusal !== undefined) return refuse(request, response, 403, refusal);
    // Engine.IO always supports JSONP, whose answers any page can run as a script, and so read.
    if (new URL(request.url ?? '', 'http://localhost').searchParams.has('j')) {
      return refuse(request, response, 403, 'No se atienden solicitudes de JSONP');
    }
    // Engine.IO answers other methods with an empty 500.
    if (request.method === 'GET' || request.method === 'POST') return next();
    response.setHeader('Allow', 'GET, POST');
    refuse(request, response, 405, 'Socket.IO solo usa GET y POST');
  });

  // Node passes on every upgrade request, on whatever path.
  server.on('upgrade', ({ url = '' }, connection) => {
    if (!url.startsWith(`${io.path()}/`))
      bareReply(connection, 400, 'Aquí no se habla ningún otro protocolo');
  });
}

function refuse(request: IncomingMessage, response: ServerResponse, status: number, message: string): void {
  // For a WebSocket, Engine.IO passes a stand-in that cannot answer.
  if (!(response instanceof ServerResponse)) {
    bareReply(request.socket, status, message);
    return;
  }
  response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8' });
  response.end(JSON.stringify(errorAnswer(status, message)));
}
