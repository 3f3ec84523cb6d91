import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Audit, isRefusal } from '../audit.ts';
import type { User } from '../security/users.ts';

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
  app.addHook('onResponse', async (request, { statusCode: status }) => {
    const { right } = request.routeOptions.config;
    const { id, ip: address } = request;
    // A client without a valid token has none.
    const user: User | undefined = request.user;
    const isMere = user !== undefined && !isRefusal(status) && (right === undefined || right === 'see');
    if (request.is404 || isMere) return;
    audit.add({
      user,
      action: right ?? 'everything',
      numero: numeroOf(request),
      status,
      address,
      request: id,
    });
  });
}
