import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import type { WireSentLink } from '../../../src/wire.ts';
import type { PostgresCluster } from '../cluster/cluster.ts';
import type { SentLink } from '../sessions/links.ts';
import type { Registry } from '../sessions/registry.ts';
import { HttpError } from './errors.ts';
import { NumeroParams } from './schemas.ts';

/** Longest wait for another gateway, in milliseconds. */
const PATIENCE = 10_000;

const Lifetime = Type.Object({ lifetime: Type.Integer() });
const Created = Type.Object({ token: Type.String(), expires: Type.Number() });

type CreateLink = (numero: string, lifetime: number) => Promise<WireSentLink>;

/**
 * Returns what creates a link for a notification, at the gateway that owns the session.
 *
 * @param linkPage the URL of the page behind the links
 */
export function notifiedLinks(linkPage: string, sessions: Registry, cluster?: PostgresCluster): CreateLink {
  const create = async (numero: string, lifetime: number): Promise<SentLink> => {
    const target = await cluster?.targetOf(numero, false);
    if (!cluster || !target) return sessions.createLink(numero, undefined, lifetime);
    const call = { method: 'POST', path: pathOf(encodeURIComponent(numero)), body: { lifetime } };
    const answer = await cluster.caller.call(target, call, AbortSignal.timeout(PATIENCE));
    if (answer?.status !== 200)
      throw new HttpError(answer?.status ?? 503, 'The other gateway created no link');
    return Value.Parse(Created, JSON.parse(answer.body));
  };
  return async (numero, lifetime) => {
    const { token, expires } = await create(numero, lifetime);
    return { url: `${linkPage}#${token}`, expires };
  };
}

/** Registers the call by which another gateway creates a link for a notification. */
export function notifiedLinkRoute(inner: FastifyInstance, sessions: Registry): void {
  inner
    .withTypeProvider<TypeBoxTypeProvider>()
    .post(
      pathOf(':numero'),
      { schema: { params: NumeroParams, body: Lifetime, response: { 200: Created } } },
      ({ params, body }) => sessions.createLink(params.numero, undefined, body.lifetime),
    );
}

function pathOf(numero: string): string {
  return `/notify/link/${numero}`;
}
