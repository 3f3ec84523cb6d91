import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { HeardCalls } from '../cluster/heard-calls.ts';
import type { Member } from '../cluster/member.ts';
import { HEAD_HEADER, Head, openAs, PLACES, type RouteAnswer, SealedCall } from '../cluster/sealed.ts';
import { DecryptionError } from '../ledger/cipher.ts';
import { clientAddress } from '../security/addresses.ts';
import type { ClientWarnings } from '../security/client-warnings.ts';
import { WrongTokens } from '../security/tokens.ts';
import { ANYBODY } from '../security/users.ts';
import { sendDenial } from './errors.ts';
import { BODY_LIMIT, REQUEST_ID } from './server.ts';

/**
 * How many times longer a forwarded call may be than the client's: a number may take five times as many characters, and
 * a character of a path six.
 */
export const SLACK = 8;
/** Longest sealed call, in bytes: sealing makes a text a third longer. */
const LONGEST = 1.5 * SLACK * BODY_LIMIT;
/** The header of a call inside this process with the name of its user. */
const BY = 'x-wo-by';
/** How many addresses of other gateways are remembered. */
const PEERS = 1_000;

/**
 * Answers the calls of other gateways at `app` with the routes of `inner`. After too many wrong calls from an address,
 * no call from there is opened, unless another gateway has called from there before.
 */
export function answerCalls(
  app: FastifyInstance,
  inner: FastifyInstance,
  member: Member,
  warnings: ClientWarnings,
): void {
  // The gateway that forwards a call has checked that its user may make it.
  inner.addHook('onRequest', async (request) => {
    const by = request.headers[BY];
    request.user = { ...ANYBODY, name: typeof by === 'string' ? decodeURIComponent(by) : undefined };
  });
  const strangers = new WrongTokens(
    'Solo para otros servidores del mismo grupo.',
    'Demasiadas llamadas que no son de otro servidor del mismo grupo',
    403,
  );
  const peers = new LRUCache<string, true>({ max: PEERS });
  const heard = new HeardCalls();
  /** The ids of calls with valid heads. */
  const ids = new WeakMap<FastifyRequest, string>();

  const answer = (id: string, answered?: RouteAnswer) =>
    member.cipher.seal(
      JSON.stringify({ process: member.process, node: member.id, now: performance.now(), answer: answered }),
      PLACES.answer(id),
    );

  // Whatever a proxy says: other gateways call directly.
  const addressOf = ({ socket }: FastifyRequest) => clientAddress(socket.remoteAddress);
  // By the secret too: until a new one is known here, calls that are sealed with it look wrong.
  const strangerOf = (request: FastifyRequest) => `${member.cipher.id} ${addressOf(request)}`;

  /** Runs a function that opens a part of a call; refuses callers that sealed it with another key or not at all. */
  const orRefuse = async (request: FastifyRequest, reply: FastifyReply, take: () => Promise<unknown>) => {
    try {
      return await take();
    } catch (error) {
      if (!(error instanceof DecryptionError)) throw error;
      member.suspectSecret();
      const address = addressOf(request);
      warnings.warn(request.log, 'Refused a call that no gateway of this cluster has sealed.', { address });
      return sendDenial(reply, strangers.deny(strangerOf(request)));
    }
  };

  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));

  app.addHook('onRequest', async (request, reply) => {
    reply.header('Cache-Control', 'no-store');
    const tooMany = peers.has(addressOf(request)) ? undefined : strangers.tooMany(strangerOf(request));
    if (tooMany) return sendDenial(reply, tooMany);
    return orRefuse(request, reply, async () => {
      const { id, to, at } = openAs(Head, member.cipher, String(request.headers[HEAD_HEADER]), PLACES.head);
      // Before the body is read: strangers' bodies are not.
      const call = to === member.id ? heard.judge(id, at, performance.now()) : 'late';
      // A sealed answer would mean that the call was not taken.
      if (call === 'repeated') return reply.code(409).send();
      if (call === 'late') return reply.send(answer(id));
      peers.set(addressOf(request), true);
      ids.set(request, id);
    });
  });

  app.post('/', { bodyLimit: LONGEST }, (request, reply) =>
    orRefuse(request, reply, async () => {
      const id = ids.get(request) ?? '';
      const { requestId, by, method, path, query, body } = openAs(
        SealedCall,
        member.cipher,
        String(request.body),
        PLACES.call(id),
      );
      const { statusCode, headers, payload } = await inner.inject({
        method,
        url: path,
        ...(query && { query }),
        headers: {
          [REQUEST_ID]: requestId,
          // A header cannot hold all letters.
          ...(by !== undefined && { [BY]: encodeURIComponent(by) }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { payload: JSON.stringify(body) }),
      });
      const { 'content-type': type, 'retry-after': retryAfter } = headers;
      return reply.send(
        answer(id, {
          status: statusCode,
          ...(type !== undefined && { type: String(type) }),
          ...(retryAfter !== undefined && { retryAfter: String(retryAfter) }),
          body: payload,
        }),
      );
    }),
  );
}
