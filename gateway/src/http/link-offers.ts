import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import type { PostgresCluster } from '../cluster/cluster.ts';
import type { NotifiedLinks } from '../notify/links.ts';
import type { Item } from '../notify/notification.ts';
import { HttpError } from './errors.ts';
import { Nothing, NumeroParams } from './schemas.ts';
import { typedRoutes } from './typed-routes.ts';

/** Longest wait for another gateway, in milliseconds. */
const PATIENCE = 10_000;

const Lifetime = Type.Object({ lifetime: Type.Integer() });
const Offered = Type.Object({ token: Type.String(), expires: Type.Number() });

/**
 * Returns what offers a link for a notification, at the gateway that owns the session; see `NotifiedLinks`.
 *
 * @param linkPage the URL of the page behind the links
 */
export function linkOffers(linkPage: string, links: NotifiedLinks, cluster?: PostgresCluster) {
  const offer = async (numero: string, lifetime: number): Promise<Static<typeof Offered> | undefined> => {
    const target = await cluster?.targetOf(numero, false);
    if (!cluster || !target) return links.offer(numero, lifetime);
    const call = { method: 'POST', path: pathOf(encodeURIComponent(numero)), body: { lifetime } };
    const { status = 503, body = '' } =
      (await cluster.caller.call(target, call, AbortSignal.timeout(PATIENCE))) ?? {};
    if (status === 204) return undefined;
    if (status !== 200) throw new HttpError(status, 'The other gateway has offered no link');
    return Value.Parse(Offered, JSON.parse(body));
  };
  return async (numero: string, lifetime: number): Promise<Item['link']> => {
    const sent = await offer(numero, lifetime);
    return sent && { url: `${linkPage}#${sent.token}`, expires: sent.expires };
  };
}

/** Registers the call by which another gateway asks for a link. */
export function linkOfferRoute(inner: FastifyInstance, links: NotifiedLinks): void {
  typedRoutes(inner).post(
    pathOf(':numero'),
    { schema: { params: NumeroParams, body: Lifetime, response: { 200: Offered, 204: Nothing } } },
    async ({ params, body }, reply) =>
      (await links.offer(params.numero, body.lifetime)) ?? reply.code(204).send(),
  );
}

function pathOf(numero: string): string {
  return `/notify/link/${numero}`;
}
