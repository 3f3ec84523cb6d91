/**
 * A stand-in for Evolution API 2.3.7, written from its documentation (https://doc.evolution-api.com/v2) and from what was
 * seen of it: run it with a port and a key. Its phones are commanded at `/_/`.
 */
import fastify from 'fastify';
import { Server } from 'socket.io';
import { control } from './control.ts';
import { faulty } from './faults.ts';
import { type AckLevel, type Phase, type StandInSession, timesOf, World } from './world.ts';

const WORDS: Record<Phase, string> = {
  stopped: 'close',
  starting: 'connecting',
  scanning: 'connecting',
  connected: 'open',
  offline: 'connecting',
  expired: 'close',
  'logged-out': 'close',
  restricted: 'close',
  passkey: 'connecting',
};
const REASONS: Partial<Record<Phase, number>> = {
  stopped: 428,
  expired: 500,
  'logged-out': 401,
  restricted: 403,
};
const ACKS: Record<AckLevel, string> = {
  failed: 'ERROR',
  server: 'SERVER_ACK',
  device: 'DELIVERY_ACK',
  read: 'READ',
};
/** How long a logout takes after its answer, in milliseconds. */
const LOGOUT_DELAY = 200;
/** How often it tries with credentials that have been removed, before it believes it. */
const TRIES = 5;

const [port = '0', key = '', file, codeLife] = process.argv.slice(2);
const app = fastify({ forceCloseConnections: true });
const io = new Server(app.server, {
  allowRequest: ({ url = '' }, callback) => {
    callback(null, new URL(url, 'http://localhost').searchParams.get('apikey') === key);
  },
});
let muted = false;
let areOwnersHidden = false;

/** What it stored: that is what it lists. */
const stored = new Map<string, string>();
/** The last code of each instance, which `connect` answers long after it was scanned. */
const lastCodes = new Map<string, string>();

const listener = {
  phase(session: StandInSession, before: Phase) {
    const { name, phase, phone } = session;
    if (phase === 'scanning') return;
    if (phase === 'logged-out') {
      for (let tries = 0; tries < TRIES; tries++) connection(name, 'connecting', 200);
      emit('status.instance', name, { instance: name, status: 'closed', disconnectionReasonCode: 401 });
      emit('logout.instance', name, null);
    }
    if (phase === 'expired') {
      emit('qrcode.updated', name, { message: 'QR code limit reached, please login again', statusCode: 500 });
    }
    if (before === phase) return;
    // What it stores is not changed while it connects, nor by a restart.
    if (WORDS[phase] !== 'connecting') stored.set(name, WORDS[phase]);
    const whose =
      phase === 'connected' && phone && !areOwnersHidden
        ? { wuid: `${phone}@s.whatsapp.net`, profileName: nameOf(phone) }
        : {};
    connection(name, WORDS[phase], REASONS[phase] ?? 200, whose);
  },
  code({ name, code = '' }: StandInSession) {
    lastCodes.set(name, code);
    emit('qrcode.updated', name, {
      qrcode: { instance: name, pairingCode: null, code, base64: 'data:image/png;base64,' },
    });
  },
  ack({ name }: StandInSession, id: string, level: AckLevel) {
    emit('messages.update', name, { keyId: id, remoteJid: '', fromMe: true, status: ACKS[level] });
  },
};
const world = new World(listener, file, timesOf(codeLife));

function connection(name: string, state: string, statusReason: number, whose: object = {}): void {
  emit('connection.update', name, { instance: name, state, statusReason, ...whose });
}

/** Its events carry keys. */
function emit(event: string, instance: string, data: object | null): void {
  if (!muted)
    io.emit(event, { event, instance, data, server_url: 'http://localhost', apikey: 'secret-of-theirs' });
}

const nameOf = (phone: string) => `Cuenta ${phone}`;

const shown = ({ name, phone }: StandInSession) => ({
  id: name,
  name,
  connectionStatus: stored.get(name) ?? (phone === undefined ? 'close' : 'open'),
  ownerJid: phone ? `${phone}@s.whatsapp.net` : null,
  profileName: phone ? nameOf(phone) : null,
  profilePicUrl: null,
  number: null,
  token: 'secret-of-theirs',
});

const faults = faulty(app);
app.addHook('onRequest', async (request, reply) => {
  if (request.url.startsWith('/_/') || request.url === '/') return;
  if (request.headers.apikey !== key) {
    return reply
      .code(401)
      .send({ status: 401, error: 'Unauthorized', response: { message: 'Unauthorized' } });
  }
});

type Named = { Params: { name: string } };
const failure = (status: number, error: string, message: unknown) => ({
  status,
  error,
  response: { message },
});
const notFound = (name: string) => failure(404, 'Not Found', [`The "${name}" instance does not exist`]);

app.get('/', () => ({
  status: 200,
  message: 'Welcome to the Evolution API, it is working!',
  version: '2.3.7',
}));
app.get('/instance/fetchInstances', () => [...world.sessions.values()].map(shown));
app.post<{ Body: { instanceName: string } }>('/instance/create', async ({ body }, reply) => {
  const { instanceName: name } = body;
  if (world.sessions.has(name)) {
    return reply.code(403).send(failure(403, 'Forbidden', [`This name "${name}" is already in use.`]));
  }
  const session = world.create(name);
  emit('instance.create', name, { instance: name });
  session.start();
  return reply
    .code(201)
    .send({ instance: { instanceName: name, status: 'connecting' }, hash: 'secret-of-theirs' });
});
app.get<Named & { Querystring: { number?: string } }>(
  '/instance/connect/:name',
  async ({ params, query }, reply) => {
    const session = world.sessions.get(params.name);
    if (!session) return reply.code(404).send(notFound(params.name));
    if (session.phase === 'connected') return { instance: { instanceName: session.name, state: 'open' } };
    if (!['starting', 'scanning', 'offline'].includes(session.phase)) session.start();
    const pairingCode = query.number === undefined ? null : (session.pair() ?? null);
    return { pairingCode, code: lastCodes.get(session.name) ?? null, base64: null, count: 1 };
  },
);
app.get<Named>('/instance/connectionState/:name', async ({ params }, reply) => {
  const session = world.sessions.get(params.name);
  if (!session) return reply.code(404).send(notFound(params.name));
  // One that is not loaded has no state.
  const state = session.phase === 'stopped' ? {} : { state: WORDS[session.phase] };
  return { instance: { instanceName: session.name, ...state } };
});
app.post<Named>('/instance/restart/:name', async ({ params }, reply) => {
  const session = world.sessions.get(params.name);
  if (!session) return reply.code(404).send(notFound(params.name));
  if (session.phase !== 'connected' && session.phase !== 'offline') {
    return { error: true, message: 'The instance is not connected' };
  }
  session.start();
  return { instance: { instanceName: session.name, status: 'connecting' } };
});
app.delete<Named>('/instance/logout/:name', async ({ params }, reply) => {
  const session = world.sessions.get(params.name);
  if (!session) return reply.code(404).send(notFound(params.name));
  if (session.phone === undefined) {
    return reply
      .code(400)
      .send(failure(400, 'Bad Request', [`The "${params.name}" instance is not connected`]));
  }
  // It answers before it is done.
  setTimeout(() => session.logOut(), LOGOUT_DELAY);
  return { status: 'SUCCESS', error: false, response: { message: 'Instance logged out' } };
});
app.delete<Named>('/instance/delete/:name', async ({ params }, reply) => {
  if (world.sessions.get(params.name)?.phase === 'connected') {
    return reply.code(400).send(failure(400, 'Bad Request', ['The instance needs to be disconnected']));
  }
  if (!world.remove(params.name)) return reply.code(404).send(notFound(params.name));
  stored.delete(params.name);
  emit('remove.instance', params.name, null);
  return { status: 'SUCCESS', error: false, response: { message: 'Instance deleted' } };
});
app.post<Named & { Body: { numbers: string[] } }>('/chat/whatsappNumbers/:name', ({ body }) =>
  body.numbers.map((number) => ({
    jid: `${number}@s.whatsapp.net`,
    exists: !world.absent.has(number),
    number,
  })),
);
app.post<Named & { Body: { number: string; text: string } }>(
  '/message/sendText/:name',
  async ({ params, body }, reply) => {
    const session = world.sessions.get(params.name);
    if (session?.phase !== 'connected') {
      return reply.code(500).send(failure(500, 'Internal Server Error', 'Connection Closed'));
    }
    const to = body.number.replace(/@.*/, '');
    const id = world.send(session, to, body.text);
    setImmediate(() => listener.ack(session, id, 'server'));
    return reply
      .code(201)
      .send({ key: { remoteJid: `${to}@s.whatsapp.net`, fromMe: true, id }, status: 'PENDING' });
  },
);

control(app, {
  world,
  listener,
  faults,
  mute: (isMuted) => {
    muted = isMuted;
  },
  hideOwners: (areHidden) => {
    areOwnersHidden = areHidden;
  },
  dropFeeds: () => io.disconnectSockets(true),
});
world.restore();
console.log(await app.listen({ port: Number(port), host: '127.0.0.1' }));
