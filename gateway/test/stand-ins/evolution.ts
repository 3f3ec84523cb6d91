/**
 * A stand-in for Evolution API 2.3, written from its documentation (https://doc.evolution-api.com/v2) and from what was
 * seen of it: run it with a port, a key and a file in which its instances outlive it. Its phones are commanded at `/_/`.
 */
import { setTimeout as wait } from 'node:timers/promises';
import fastify from 'fastify';
import { Server } from 'socket.io';
import { control } from './control.ts';
import { faulty } from './faults.ts';
import { type AckLevel, newCode, type Phase, type StandInSession, World } from './world.ts';

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
  confirm: 'connecting',
};
const REASONS: Partial<Record<Phase, number>> = {
  stopped: 428,
  'logged-out': 401,
  restricted: 403,
};
const ACKS: Record<AckLevel, string> = {
  failed: 'ERROR',
  server: 'SERVER_ACK',
  device: 'DELIVERY_ACK',
  read: 'READ',
};
/**
 * How long a logout, a deletion and a restart take after their answers, and how long a creation with a code and a
 * connection take before theirs, in milliseconds.
 */
const DELAYS = { logout: 200, deletion: 300, restart: 40, creation: 375, connection: 150 };
/** How often it tries with credentials that it has removed, before it believes it. */
const TRIES = 5;
/** Half the time between two attempts while WhatsApp cannot be reached, in milliseconds. */
const HALF_ATTEMPT = 12;

const [port = '0', key = '', file] = process.argv.slice(2);
const app = fastify({ forceCloseConnections: true });
// From this machine, its socket takes any key.
const io = new Server(app.server);
let muted = false;
let areOwnersHidden = false;
let areRestartsLate = false;
/** Runs while WhatsApp cannot be reached. */
let attempts: NodeJS.Timeout | undefined;
let isBetweenAttempts = false;

/** What it stored: that is what it lists. */
const stored = new Map<string, string>();
/** The last code of each instance since its start, which `connect` answers after it was scanned too. */
const lastCodes = new Map<string, string>();
/** Why each instance ended last, which stays after it is linked again. */
const lastEnds = new Map<string, number>();
/** Instances that are being logged out here. */
const leaving = new Set<StandInSession>();
/** The names of instances that were deleted while WhatsApp could not be reached: they live on. */
const ghosts = new Set<string>();

const listener = {
  phase(session: StandInSession, before: Phase) {
    const { name, phase, phone } = session;
    if (phase === 'scanning') return;
    if (phase === 'starting' && phone === undefined) lastCodes.delete(name);
    if (phase === 'logged-out' || phase === 'expired') lastEnds.set(name, 401);
    if (phase === 'restricted') lastEnds.set(name, 403);
    if (phase === 'logged-out') {
      const isOurs = leaving.delete(session);
      if (isOurs) for (let tries = 0; tries < TRIES; tries++) connection(name, 'connecting', 200);
      emit('status.instance', name, { instance: name, status: 'closed', disconnectionReasonCode: 401 });
      if (isOurs) emit('logout.instance', name, null);
      stored.set(name, 'close');
      if (!isOurs) return;
    }
    if (phase === 'expired') {
      stored.set(name, 'close');
      endCodes(name);
      return;
    }
    if (before === phase) return;
    // What it stores is not changed while it connects, except by a code, nor by a restart.
    if (WORDS[phase] !== 'connecting') stored.set(name, WORDS[phase]);
    const whose =
      phase === 'connected' && phone && !areOwnersHidden
        ? { wuid: `${phone}@s.whatsapp.net`, profileName: nameOf(phone) }
        : {};
    connection(name, WORDS[phase], REASONS[phase] ?? 200, whose);
  },
  code(session: StandInSession) {
    const { name, code = '' } = session;
    // It asks for another code to type with each one to scan.
    session.pairingCode = undefined;
    stored.set(name, 'connecting');
    lastCodes.set(name, code);
    showCode(name, code);
  },
  ack({ name }: StandInSession, id: string, level: AckLevel) {
    emit('messages.update', name, { keyId: id, remoteJid: '', fromMe: true, status: ACKS[level] });
  },
};
const world = new World(listener, file);
/** The instances that a number was given to: only they have codes to type. */
const numbered = new Set<string>();

function logOut(session: StandInSession): void {
  leaving.add(session);
  world.unlink(session);
}

/** While WhatsApp cannot be reached, it tries and tries, and says `close` between two attempts. */
function setOutage(isOut: boolean): void {
  world.isOut = isOut;
  clearInterval(attempts);
  isBetweenAttempts = false;
  const running = [...world.sessions.values()].filter(({ phase }) => WORDS[phase] !== 'close');
  if (isOut) {
    attempts = setInterval(() => {
      isBetweenAttempts = !isBetweenAttempts;
      for (const { name, phase } of isBetweenAttempts ? [] : world.sessions.values())
        if (phase === 'offline') connection(name, 'connecting', 200);
    }, HALF_ATTEMPT);
  }
  for (const session of running) session.start();
}

/** Removes an instance, which it lists until some time after its answer; returns false if there is none. */
function remove(name: string): boolean {
  const session = world.sessions.get(name);
  if (!session) return false;
  if (world.isOut) ghosts.add(name);
  for (const event of ['remove.instance', 'instance.delete']) emit(event, name, null);
  if (session.phone !== undefined) logOut(session);
  setTimeout(() => {
    world.remove(name);
    stored.delete(name);
  }, DELAYS.deletion);
  return true;
}

function connection(name: string, state: string, statusReason: number, whose: object = {}): void {
  emit('connection.update', name, { instance: name, state, statusReason, ...whose });
}

function showCode(name: string, code: string): void {
  emit('qrcode.updated', name, {
    qrcode: { instance: name, pairingCode: null, code, base64: 'data:image/png;base64,' },
  });
}

function endCodes(name: string): void {
  emit('qrcode.updated', name, { message: 'QR code limit reached, please login again', statusCode: 500 });
  connection(name, 'refused', 428);
}

/** An instance that lives on after its deletion shows a code, or its codes end. */
function haunt(name: string, areCodesOver: boolean): void {
  if (!ghosts.has(name)) throw new Error(`no ${name} was deleted while WhatsApp could not be reached`);
  if (areCodesOver) endCodes(name);
  else showCode(name, newCode());
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
  disconnectionReasonCode: lastEnds.get(name) ?? null,
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
type Creation = { Body: { instanceName: string; qrcode?: boolean } };
app.post<Creation>('/instance/create', async ({ body }, reply) => {
  const { instanceName: name, qrcode = false } = body;
  if (world.sessions.has(name)) {
    return reply.code(403).send(failure(403, 'Forbidden', [`This name "${name}" is already in use.`]));
  }
  const session = world.create(name);
  emit('instance.create', name, { instance: name });
  if (qrcode) {
    session.start();
    await wait(DELAYS.creation);
  }
  const instance = { instanceName: name, status: WORDS[session.phase] };
  return reply.code(201).send({ instance, hash: 'secret-of-theirs' });
});
app.get<Named & { Querystring: { number?: string } }>(
  '/instance/connect/:name',
  async ({ params, query }, reply) => {
    const session = world.sessions.get(params.name);
    if (!session) return reply.code(404).send(notFound(params.name));
    if (session.phase === 'connected') return { instance: { instanceName: session.name, state: 'open' } };
    if (WORDS[session.phase] === 'close') {
      if (query.number !== undefined) numbered.add(session.name);
      session.start();
      await wait(DELAYS.connection);
    }
    if (!lastCodes.has(session.name)) return { count: 0 };
    if (numbered.has(session.name)) session.pairingCode ??= session.pair();
    const { pairingCode = null } = session;
    return { pairingCode, code: lastCodes.get(session.name) ?? null, base64: null, count: 1 };
  },
);
app.get<Named>('/instance/connectionState/:name', async ({ params }, reply) => {
  const session = world.sessions.get(params.name);
  if (!session) return reply.code(404).send(notFound(params.name));
  // One that is not loaded has no state.
  const word = session.phase === 'offline' && isBetweenAttempts ? 'close' : WORDS[session.phase];
  const state = session.phase === 'stopped' ? {} : { state: word };
  return { instance: { instanceName: session.name, ...state } };
});
app.post<Named>('/instance/restart/:name', async ({ params }, reply) => {
  const session = world.sessions.get(params.name);
  if (!session) return reply.code(404).send(notFound(params.name));
  if (WORDS[session.phase] === 'close') {
    return { error: true, message: 'The instance is not connected' };
  }
  if (areRestartsLate && session.phase === 'connected') {
    setTimeout(() => session.start(), DELAYS.restart);
    return { instance: { instanceName: session.name, status: 'open' } };
  }
  session.start();
  return { instance: { instanceName: session.name, status: 'connecting' } };
});
app.delete<Named>('/instance/logout/:name', async ({ params }, reply) => {
  const session = world.sessions.get(params.name);
  if (!session) return reply.code(404).send(notFound(params.name));
  if (WORDS[session.phase] === 'close') {
    return reply
      .code(400)
      .send(failure(400, 'Bad Request', [`The "${params.name}" instance is not connected`]));
  }
  numbered.delete(session.name);
  // It answers before it is done.
  setTimeout(() => logOut(session), DELAYS.logout);
  return { status: 'SUCCESS', error: false, response: { message: 'Instance logged out' } };
});
app.delete<Named>('/instance/delete/:name', async ({ params }, reply) => {
  if (!remove(params.name)) return reply.code(404).send(notFound(params.name));
  return { status: 'SUCCESS', error: false, response: { message: 'Instance deleted' } };
});
app.post<Named>('/chat/fetchBusinessProfile/:name', () => ({ isBusiness: false }));
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
  remove,
  mute: (isMuted) => {
    muted = isMuted;
  },
  hideOwners: (areHidden) => {
    areOwnersHidden = areHidden;
  },
  restartLate: (isLate) => {
    areRestartsLate = isLate;
  },
  setOutage,
  haunt,
  dropFeeds: () => io.disconnectSockets(true),
});
world.restore();
// It connects all of them, those that were never linked too.
for (const session of world.sessions.values()) if (session.phase === 'stopped') session.start();
console.log(await app.listen({ port: Number(port), host: '127.0.0.1' }));
