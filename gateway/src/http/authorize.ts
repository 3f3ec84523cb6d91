import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Value } from 'typebox/value';
import type { WireListItem } from '../../../src/wire.ts';
import {
  GROUP_REFUSAL,
  isUnlimited,
  mayUse,
  mayUseGroup,
  NOT_ALL,
  NOT_EVERYTHING,
  type Right,
  rightRefusal,
  sessionRefusal,
  type User,
} from '../security/users.ts';
import { HttpError } from './errors.ts';
import { numeroOf } from './forward.ts';
import { Naming } from './schemas.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who calls. */
    user: User;
  }
  interface FastifyContextConfig {
    /**
     * What a caller needs for the route, or for a body of it. Without it, only those who may do everything pass.
     */
    right?: Right | ((body: unknown) => readonly Right[]);
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
  const rights = rightsOf(request);
  if (!rights) return isUnlimited(user) ? undefined : NOT_EVERYTHING;
  const missing = rights.find((right) => !user.rights.has(right));
  if (missing) return rightRefusal(missing);
  if (request.routeOptions.config.ofAll && user.scope) return NOT_ALL;
  const numero = numeroOf(request);
  if (numero !== undefined && !rights.every((right) => mayUse(user, right, numero, get)))
    return sessionRefusal(numero);
  if (rights.includes('label') && Value.Check(Naming, body) && !mayUseGroup(user, body.group))
    return GROUP_REFUSAL;
  return undefined;
}

/** Returns what a call needs; undefined for those who may do everything only. */
export function rightsOf({ routeOptions, body }: FastifyRequest): readonly Right[] | undefined {
  const { right } = routeOptions.config;
  if (typeof right === 'function') return right(body);
  return right && [right];
}
