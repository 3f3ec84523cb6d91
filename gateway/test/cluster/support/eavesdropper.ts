import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { Scope } from '../../../../test/support/scope.ts';

/** What somebody on the way hears of a call. */
export interface HeardCall {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface HeardAnswer {
  readonly status: number;
  readonly body: Buffer;
}

/**
 * Calls a gateway as somebody on the way does: with the path and the headers as they are.
 *
 * @param from an address of this machine
 */
export async function callAs(
  url: string,
  { method, path, headers, body }: HeardCall,
  from = '127.0.0.1',
): Promise<HeardAnswer> {
  const own = { host: new URL(url).host, 'content-length': String(body.length) };
  // The path goes as it is, which a URL does not.
  const call = request(url, {
    method,
    path,
    headers: { ...headers, ...own },
    localAddress: from,
    agent: false,
  });
  call.end(body);
  const [answer] = await once(call, 'response');
  return { status: answer.statusCode, body: await buffer(answer) };
}

/** Somebody at a port that other gateways call: hears everything, and answers as it likes. */
export class Eavesdropper {
  readonly url: string;
  readonly calls: HeardCall[] = [];
  readonly answers: HeardAnswer[] = [];

  private constructor(port: number) {
    this.url = `http://127.0.0.1:${port}`;
  }

  /**
   * @param answer what it answers; {@link callAs} passes a call on
   * @param port 0 for any
   */
  static async listen(
    scope: Scope,
    answer: (call: HeardCall, heard: readonly HeardAnswer[]) => Promise<HeardAnswer> | HeardAnswer,
    port = 0,
  ): Promise<Eavesdropper> {
    const server = createServer(async (incoming, outgoing) => {
      const { method = '', url: path = '', headers } = incoming;
      const call = { method, path, headers, body: await buffer(incoming) };
      eavesdropper.calls.push(call);
      const { status, body } = await answer(call, eavesdropper.answers);
      eavesdropper.answers.push({ status, body });
      outgoing.writeHead(status, { 'Content-Type': 'application/json' }).end(body);
    });
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    scope.after(() => {
      server.close();
      server.closeAllConnections();
    });
    const eavesdropper = new Eavesdropper((server.address() as AddressInfo).port);
    return eavesdropper;
  }

  /** Everything that it was told, as text. */
  get heard(): string {
    return this.calls
      .map(({ path, headers, body }) => `${path} ${JSON.stringify(headers)} ${body.toString('latin1')}`)
      .join('\n');
  }
}
