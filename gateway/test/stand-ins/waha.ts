/**
 * A stand-in for WAHA without a browser, written from its documentation (https://waha.devlike.pro/docs/how-to/) and from what
 * was seen of it: run it with a port, a key, a file in which its sessions outlive it, a version, and `CORE` for the
 * edition with one session, and `GOWS` for the engine that goes on with passkeys. Its phones are commanded at `/_/`.
 */
import { setTimeout as wait } from 'node:timers/promises';
import fastify from 'fastify';
import { type WebSocket, WebSocketServer } from 'ws';
import { control } from './control.ts';
import { faulty } from './faults.ts';
import { type AckLevel, type Phase, type StandInSession, TIMES, World } from './world.ts';

const WORDS: Record<Phase, string> = {
  stopped: 'STOPPED',
  starting: 'STARTING',
  scanning: 'SCAN_QR_CODE',
  connected: 'WORKING',
  offline: 'STARTING',
  expired: 'FAILED',
  'logged-out': 'FAILED',
  restricted: 'FAILED',
  passkey: 'PASSKEY_REQUIRED',
  confirm: 'PASSKEY_CONFIRMATION_REQUIRED',
};
const ACKS: Record<AckLevel, number> = { failed: -1, server: 1, device: 2, read: 3 };

/** How long a stop, restart, logout or deletion takes, in milliseconds. */
const EFFORT = 60;

const [port = '0', key = '', file, version = '2026.7.1', tier = 'PLUS', engine = 'NOWEB'] =
  process.argv.slice(2);
const isOld = version.startsWith('2024');
const isCore = tier === 'CORE';
const app = fastify({ forceCloseConnections: true });
const feeds = new WebSocketServer({ noServer: true });
/** The event that each feed asked for. */
const wanted = new WeakMap<WebSocket, string>();
let muted = false;
let areOwnersHidden = false;

const listener = {
  phase: (session: StandInSession, before: Phase) => {
    // It keeps what WhatsApp rejects until a logout.
    if (session.phase === 'logged-out') session.isRejected = true;
    if (session.phase !== before && session.phase !== 'scanning') tell(session);
  },
  code: (session: StandInSession) => tell(session),
  limited: (session: StandInSession) => tell(session, { reachoutTimelock: timelockOf(session) }),
  ack: (session: StandInSession, id: string, level: AckLevel) => {
    if (!isOld)
      emit('message.ack', session, { id: `true_34600000000@c.us_${id}`, ack: ACKS[level], ackName: level });
  },
};
const world = new World(listener, file, { ...TIMES, codes: Number.POSITIVE_INFINITY });
world.leavesDevices = isOld;

function tell(session: StandInSession, data: object | null = null): void {
  emit('session.status', session, { name: session.name, status: WORDS[session.phase], statuses: [], data });
}

function emit(event: string, session: StandInSession, payload: object): void {
  if (muted) return;
  const me = areOwnersHidden ? null : meOf(session);
  const text = JSON.stringify({ id: 'evt_1', event, session: session.name, me, payload });
  for (const client of feeds.clients) if (wanted.get(client) === event) client.send(text);
}

const meOf = (session: StandInSession) => {
  const { phone, phase } = session;
  // One that does not run has none, even if a phone is linked.
  if (phase === 'stopped') return null;
  const reachoutTimelock = session.limitedUntil === undefined ? null : timelockOf(session);
  return phone === undefined ? null : { id: `${phone}@c.us`, pushName: `Cuenta ${phone}`, reachoutTimelock };
};

const timelockOf = ({ limitedUntil }: StandInSession) => ({
  enforcementType: 'RESTRICT_ALL_COMPANIONS',
  isActive: limitedUntil !== undefined,
  timeEnforcementEnds: limitedUntil === undefined ? null : limitedUntil / 1_000,
});

const shown = (session: StandInSession) => ({
  name: session.name,
  status: WORDS[session.phase],
  me: meOf(session),
  config: { metadata: {} },
  engine: { engine },
});

const faults = faulty(app);
app.addHook('onRequest', async (request, reply) => {
  if (request.url.startsWith('/_/')) return;
  if (!isCore && request.headers['x-api-key'] !== key)
    return reply.code(401).send({ message: 'Unauthorized', statusCode: 401 });
});
app.server.on('upgrade', (request, socket, head) => {
  const url = new URL(request.url ?? '', 'http://localhost');
  if (url.pathname !== '/ws' || (!isCore && url.searchParams.get('x-api-key') !== key)) {
    socket.destroy();
    return;
  }
  const [event = '*', ...more] = url.searchParams.getAll('events');
  if (isOld && more.length > 0) throw new TypeError('events.split is not a function');
  feeds.handleUpgrade(request, socket, head, (client) => {
    if (isOld && !['*', 'session.status'].includes(event)) client.close(4001);
    else wanted.set(client, event);
  });
});

type Named = { Params: { name: string } };
const unknown = { statusCode: 404, message: 'Session not found' };
const unprocessable = (message: string) => ({ statusCode: 422, message });

app.addHook<{ Params: { name?: string }; Body: { name?: string } | undefined }>(
  'preHandler',
  async ({ url, params, body }, reply) => {
    const name = params.name ?? body?.name;
    if (!isCore || url.startsWith('/_/') || name === undefined || name === 'default') return;
    return reply
      .code(422)
      .send(
        unprocessable(`WAHA Core support only 'default' session. You tried to access '${name}' session.`),
      );
  },
);
app.get('/api/server/version', () => ({ version, engine, tier, browser: null }));
app.get('/api/sessions', () => [...world.sessions.values()].map(shown));
app.post<{ Body: { name: string; start?: boolean } }>('/api/sessions', async ({ body }, reply) => {
  if (world.sessions.has(body.name)) return reply.code(422).send(unprocessable('Session already exists'));
  const session = world.create(body.name);
  if (body.start) session.start();
  return reply.code(201).send(shown(session));
});
app.post<{ Params: { name: string; action: string } }>(
  '/api/sessions/:name/:action',
  async ({ params }, reply) => {
    const session = world.sessions.get(params.name);
    if (!session) return reply.code(404).send(unknown);
    const isRunning = session.phase !== 'stopped';
    if (params.action !== 'start') await wait(EFFORT);
    switch (params.action) {
      case 'start':
        if (!isRunning) session.start();
        else if (isOld) return reply.code(422).send(unprocessable('Session is already started.'));
        break;
      case 'restart':
        session.stop();
        session.start();
        break;
      case 'logout':
        world.unlink(session);
        session.stop();
        if (isRunning) session.start();
        break;
      case 'stop':
        session.stop();
    }
    return reply.code(201).send(shown(session));
  },
);
app.put<Named>('/api/sessions/:name', ({ params }, reply) => {
  const session = world.sessions.get(params.name);
  if (!session) return reply.code(404).send(unknown);
  // It takes the configuration, which restarts one that runs.
  if (session.phase !== 'stopped') session.start();
  return shown(session);
});
app.delete<Named>('/api/sessions/:name', async ({ params }, reply) => {
  await wait(EFFORT);
  return world.remove(params.name) ? reply.code(200).send() : reply.code(404).send(unknown);
});
app.get<Named>('/api/:name/auth/qr', async ({ params }, reply) => {
  const code = world.sessions.get(params.name)?.code;
  return code === undefined
    ? reply.code(422).send(unprocessable('Session status is not as expected. SCAN_QR_CODE'))
    : { value: code };
});
app.post<Named & { Body: { phoneNumber: string } }>(
  '/api/:name/auth/request-code',
  async ({ params }, reply) => {
    const code = world.sessions.get(params.name)?.pair();
    return code === undefined
      ? reply.code(422).send(unprocessable('Session status is not as expected'))
      : reply.code(201).send({ code: `${code.slice(0, 4)}-${code.slice(4)}` });
  },
);
if (engine === 'GOWS') {
  // https://waha.devlike.pro/blog/waha-passkey/
  const statusIs = (status: string) => unprocessable(`Session status is not as expected. ${status}`);
  app.get<Named>('/api/:name/auth/passkey/challenge', async ({ params }, reply) =>
    world.sessions.get(params.name)?.phase === 'passkey'
      ? { challenge: '9WVUYm9AsQ', timeout: 600_000, rpId: 'whatsapp.com', userVerification: 'required' }
      : reply.code(422).send(statusIs(WORDS.passkey)),
  );
  app.post<Named & { Body: { response?: { signature?: string } } }>(
    '/api/:name/auth/passkey',
    async ({ params, body }, reply) => {
      if (!body.response?.signature) return reply.code(400).send({ message: 'signature must be a string' });
      return world.goOn(world.sessions.get(params.name), 'passkey')
        ? reply.code(201).send()
        : reply.code(422).send(statusIs(WORDS.passkey));
    },
  );
  app.get<Named>('/api/:name/auth/passkey/confirmation', async ({ params }, reply) =>
    world.sessions.get(params.name)?.phase === 'confirm'
      ? { code: '42DK-PJN4' }
      : reply.code(422).send(statusIs(WORDS.confirm)),
  );
  app.post<Named>('/api/:name/auth/passkey/confirm', async ({ params }, reply) =>
    world.goOn(world.sessions.get(params.name), 'confirm')
      ? reply.code(201).send()
      : reply.code(422).send(statusIs(WORDS.confirm)),
  );
}
app.get<{ Querystring: { phone: string } }>('/api/contacts/check-exists', ({ query: { phone } }) =>
  world.absent.has(phone) ? { numberExists: false } : { numberExists: true, chatId: `${phone}@c.us` },
);
app.post<{ Body: { session: string; chatId: string; text: string } }>(
  '/api/sendText',
  async ({ body }, reply) => {
    const session = world.sessions.get(body.session);
    if (session?.phase !== 'connected') {
      return reply.code(422).send(unprocessable('Session status is not as expected'));
    }
    const to = body.chatId.replace(/@.*/, '');
    const id = world.send(session, to, body.text);
    setImmediate(() => listener.ack(session, id, 'server'));
    return reply.code(201).send({ key: { remoteJid: `${to}@s.whatsapp.net`, fromMe: true, id } });
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
  dropFeeds: () => {
    for (const client of feeds.clients) client.terminate();
  },
});
// It stops its sessions, and ends when nobody listens any more.
process.once('SIGTERM', () => {
  for (const session of world.sessions.values()) session.stop();
  const end = () => {
    if (feeds.clients.size === 0) process.exit();
  };
  for (const client of feeds.clients) client.once('close', end);
  end();
});
world.restore();
// Core starts none by itself.
if (isCore) for (const session of world.sessions.values()) session.stop();
console.log(await app.listen({ port: Number(port), host: '127.0.0.1' }));
