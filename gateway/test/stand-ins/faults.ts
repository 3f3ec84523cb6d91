import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

/** In bytes. */
const ENDLESS = 20_000_000;
/** Each shorter than the longest list that is read. */
const TEXTS = { nested: () => '['.repeat(4_000_000), many: () => `[${'{},'.repeat(999_999)}{}]` };

/** What goes wrong with the requests to a stand-in. */
export interface Fault {
  /** The requests: a method and the beginning of a path, such as `GET /api/sessions`. */
  readonly of: string;
  /** How many of them; default all until the faults are lifted. */
  times?: number;
  readonly as:
    | { readonly status: number; readonly json?: unknown }
    /** The right answer, so many milliseconds later. */
    | { readonly late: number }
    /** A page to sign in, with status 200. */
    | 'html'
    /** JSON that ends too soon. */
    | 'half'
    /** More JSON than anybody would read. */
    | 'endless'
    /** Arrays in arrays. */
    | 'nested'
    /** A million small entries. */
    | 'many'
    /** The connection is cut without an answer. */
    | 'cut';
}

/** What goes wrong now. */
export interface Faults {
  list: readonly Fault[];
}

/** Makes an app's answers go wrong. */
export function faulty(app: FastifyInstance): Faults {
  const state: Faults = { list: [] };
  app.addHook('preHandler', async (request, reply) => {
    const call = `${request.method} ${request.url}`;
    const fault = state.list.find(({ of, times }) => call.startsWith(of) && times !== 0);
    if (!fault || call.includes('/_/')) return;
    if (fault.times !== undefined) fault.times -= 1;
    const { as } = fault;
    if (as === 'cut') return void request.raw.socket.destroy();
    if (as === 'html') return reply.type('text/html').send('<!doctype html><title>Sign in</title>');
    if (as === 'half') return reply.type('application/json').send('[{"name":"521555');
    if (as === 'endless') return reply.type('application/json').send(`["${'a'.repeat(ENDLESS)}"]`);
    if (typeof as === 'object' && 'late' in as) return void (await wait(as.late));
    if (as === 'nested' || as === 'many') return reply.type('application/json').send(TEXTS[as]());
    return reply.code(as.status).send(as.json ?? { statusCode: as.status, message: 'key=secret-of-theirs' });
  });
  return state;
}
