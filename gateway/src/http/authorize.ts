import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Value } from 'typebox/value';
import type { WireListItem } from '../../../src/wire.ts';
import {
  GROUP_REFUSAL,
  NOT_ALL,
  NOT_EVERYTHING,
  rightRefusal,
  sessionRefusal,
} from '../security/refusals.ts';
import { isUnlimited, mayUse, mayUseGroup, type Right, type User } from '../security/users.ts';
import { HttpError } from './errors.ts';
import { numeroOf } from './forward.ts';
import { Naming } from './schemas.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who calls. */
    user: User;
  }
  interface FastifyContextConfig {
    /** What a caller needs for the route. Without it, only those who may do everything pass. */
    right?: Right;
    /** Whether the answer covers all sessions: then users of some do not pass. */
    ofAll?: true;
  }
}

/**
 * Refuses the calls of `api` that their users may not make, with 403.
 *
 * @param get returns a session by any form of its numero
 */
export function authorize(api: FastifyInstance, get: (typed: string) => WireListItem | undefined): void {
  api.addHook('preHandler', async (request) => {
    if (request.is404) return;
    const refusal = refusalOf(request, get);
    if (refusal !== undefined) throw new HttpError(403, refusal);
  });
}

function refusalOf(
  request: FastifyRequest,
  get: (typed: string) => WireListItem | undefined,
): string | undefined {
  const { user, body } = request;
  const { right, ofAll } = request.routeOptions.config;
  if (right === undefined) return isUnlimited(user) ? undefined : NOT_EVERYTHING;
  if (!user.rights.has(right)) return rightRefusal(right);
  if (ofAll && user.scope) return NOT_ALL;
  const numero = numeroOf(request);
  if (numero !== undefined && !mayUse(user, right, numero, get)) return sessionRefusal(numero);
  if (right === 'label' && Value.Check(Naming, body) && !mayUseGroup(user, body.group)) return GROUP_REFUSAL;
  return undefined;
}
