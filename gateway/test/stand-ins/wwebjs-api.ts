/**
 * A stand-in for wwebjs-api, written from its documentation (https://github.com/avoylenko/wwebjs-api): run it with a
 * port, a key and a file in which its sessions outlive it. Its phones are commanded at `/_/`.
 */
import { setTimeout as wait } from 'node:timers/promises';
import fastify from 'fastify';
import { control } from './control.ts';
import { faulty } from './faults.ts';
import { type Phase, type StandInSession, TIMES, World } from './world.ts';

/** There is no word until whatsapp-web.js has a phone. */
const WORDS: Partial<Record<Phase, string>> = { connected: 'CONNECTED', offline: 'TIMEOUT' };
/** How long a browser takes to open, in milliseconds. */
const BROWSER = 40;

const [port = '0', key = '', file] = process.argv.slice(2);
const app = fastify({ forceCloseConnections: true });
const listener = {
  phase(session: StandInSession) {
    // It shows codes again.
    if (session.phase === 'logged-out') session.start();
  },
  code() {},
  ack() {},
};
const world = new World(listener, file, { ...TIMES, codes: Number.POSITIVE_INFINITY });
/** Those whose browser opens: it does not know them meanwhile, not even one that restarts. */
const opening = new Set<string>();

async function open(session: StandInSession): Promise<void> {
  session.stop();
  opening.add(session.name);
  await wait(BROWSER);
  opening.delete(session.name);
  if (world.sessions.get(session.name) === session) session.start();
}

const known = (name: string) => (opening.has(name) ? undefined : world.sessions.get(name));
/** It says so before it knows whose phone it is. */
const wordOf = ({ phase, phone }: StandInSession) =>
  phase === 'starting' && phone !== undefined ? 'CONNECTED' : (WORDS[phase] ?? null);
const failure = (error: string) => ({ success: false, error });
const notFound = { success: false, state: null, message: 'session_not_found' };
const addressOf = (user: string) => ({ server: 'c.us', user, _serialized: `${user}@c.us` });

const faults = faulty(app);
app.addHook('onRequest', async ({ url, headers }, reply) => {
  if (url.startsWith('/_/') || url === '/ping') return;
  if (headers['x-api-key'] !== key) return reply.code(403).send(failure('Invalid API key'));
});

type Named = { Params: { name: string } };
app.addHook<Named>('preHandler', async ({ url, params }, reply) => {
  if (!url.startsWith('/client/')) return;
  const session = known(params.name);
  if (!session) return reply.code(404).send(failure('session_not_found'));
  if (wordOf(session) !== 'CONNECTED') return reply.code(404).send(failure('session_not_connected'));
});

app.get('/ping', () => ({ success: true, message: 'pong' }));
app.get('/session/getSessions', () => ({
  success: true,
  result: [...world.sessions.keys()].filter((name) => known(name)),
}));
app.get<Named>('/session/start/:name', async ({ params: { name } }, reply) => {
  if (world.sessions.has(name)) return reply.code(422).send(failure(`Session already exists for: ${name}`));
  await open(world.create(name));
  return { success: true, message: 'Session initiated successfully' };
});
app.get<Named>('/session/status/:name', ({ params }) => {
  const session = known(params.name);
  if (!session) return notFound;
  if (session.phase === 'stopped') return { ...notFound, message: 'browser tab closed' };
  const state = wordOf(session);
  if (state === 'CONNECTED') return { success: true, state, message: 'session_connected' };
  return { success: false, state, message: 'session_not_connected' };
});
app.get<Named>('/session/qr/:name', ({ params }) => {
  const session = known(params.name);
  if (!session) return { success: false, message: 'session_not_found' };
  if (session.code !== undefined) return { success: true, qr: session.code };
  return { success: false, message: 'qr code not ready or already scanned' };
});
app.post<Named & { Body: { phoneNumber: string } }>(
  '/session/requestPairingCode/:name',
  async ({ params }, reply) => {
    const session = known(params.name);
    if (!session) return { success: false, message: 'session_not_found' };
    const result = session.pair();
    return result === undefined
      ? reply.code(500).send(failure('Evaluation failed: t'))
      : { success: true, result };
  },
);
app.get<Named>('/session/restart/:name', async ({ params }) => {
  const session = known(params.name);
  if (!session) return notFound;
  await open(session);
  return { success: true, message: 'Restarted successfully' };
});
app.get<Named>('/session/terminate/:name', ({ params }) => {
  if (!known(params.name)) return notFound;
  world.remove(params.name);
  return { success: true, message: 'Logged out successfully' };
});
app.get<Named>('/client/getClassInfo/:name', ({ params }) => {
  const { phase, phone = '' } = known(params.name) ?? {};
  if (phase !== 'connected') return { success: true };
  return {
    success: true,
    sessionInfo: { wid: addressOf(phone), pushname: `Cuenta ${phone}`, platform: 'android' },
  };
});
app.post<Named & { Body: { number: string } }>('/client/getNumberId/:name', ({ body: { number } }) => ({
  success: true,
  result: world.absent.has(number) ? null : addressOf(number),
}));
app.post<Named & { Body: { chatId: string; contentType: string; content: string } }>(
  '/client/sendMessage/:name',
  async ({ params, body }, reply) => {
    const session = known(params.name);
    if (session?.phase !== 'connected') return reply.code(500).send(failure('Evaluation failed: b'));
    const id = world.send(session, body.chatId.replace(/@.*/, ''), body.content);
    return { success: true, message: { id: { fromMe: true, id }, ack: 0 } };
  },
);

control(app, {
  world,
  listener,
  faults,
  mute() {},
  dropFeeds() {},
});
world.restore();
// Those that were never linked come back too.
for (const session of world.sessions.values()) if (session.phase === 'stopped') session.start();
console.log(await app.listen({ port: Number(port), host: '127.0.0.1' }));
