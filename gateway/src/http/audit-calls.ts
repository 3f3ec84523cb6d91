import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Audit, isRefusal } from '../audit.ts';
import type { User } from '../security/users.ts';
import { rightsOf } from './authorize.ts';
import { PARAM_LIMIT } from './server.ts';

/** The status of calls beyond the limits. They do nothing, and the log must not grow with them. */
const TOO_MANY = 429;

/**
 * Adds to the audit log what the calls to the routes of `app` change, which codes they show, and which are refused.
 *
 * @param numeroOf returns the numero that a call is about
 */
export function auditCalls(
  app: FastifyInstance,
  audit: Audit,
  numeroOf: (request: FastifyRequest) => string | undefined,
): void {
  // Before the answer is written: a client that has hung up receives none.
  app.addHook('onSend', async (request, { statusCode: status }) => {
    const rights = rightsOf(request);
    const { id, ip: address } = request;
    // A client without a valid token has none.
    const user: User | undefined = request.user;
    const isRefused = user ? isRefusal(status) : status >= 400 && status < 500;
    const acts = user !== undefined && !rights?.includes('see') && status !== TOO_MANY;
    // Only calls for simulated phones have no right of their own.
    if (!rights || !(isRefused || acts)) return;
    const numero = numeroOf(request)?.slice(0, PARAM_LIMIT);
    for (const action of rights) audit.add({ user, action, numero, status, address, request: id });
  });
}
