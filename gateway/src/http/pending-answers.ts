import { EventEmitter, once } from 'node:events';
import type { FastifyInstance } from 'fastify';

/** Returns a function that resolves once no request waits for its answer. */
export function pendingAnswers(app: FastifyInstance): () => Promise<void> {
  const answers = new EventEmitter().setMaxListeners(0);
  let pending = 0;
  app.addHook('onRequest', async (_request, reply) => {
    pending += 1;
    // Unlike `onResponse`, also when the client has gone.
    reply.raw.once('close', () => {
      pending -= 1;
      if (pending === 0) answers.emit('none');
    });
  });
  return async () => {
    if (pending > 0) await once(answers, 'none');
  };
}
