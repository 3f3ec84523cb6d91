import { createServer } from 'node:http';

/** The content type and the body for each path. */
export type Files = Map<string, readonly [type: string, body: string]>;

export interface PageServer {
  readonly origin: string;
  close(): void;
}

/** Serves pages with these headers on an origin of their own; files and headers may change while it serves. */
export async function servePages(files: Files, headers: Headers = new Headers()): Promise<PageServer> {
  const server = createServer((request, response) => {
    const [type, body] = files.get(request.url ?? '') ?? [];
    if (type === undefined) {
      response.writeHead(404).end();
      return;
    }
    response.setHeaders(headers).setHeader('Content-Type', type).end(body);
  });
  await new Promise<void>((listening) => {
    server.listen(0, '127.0.0.1', listening);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The pages have no port');
  return {
    origin: `http://127.0.0.1:${address.port}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
