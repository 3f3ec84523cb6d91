import assert from 'node:assert/strict';
import { address, complaints, run } from '../../gateway/test/support/command.ts';
import { openConnection } from '../../gateway/test/support/connection.ts';
import { call, Listener } from '../../gateway/test/support/gateway.ts';
import type { WireSession } from '../../src/wire.ts';
import type { Attack } from './attack.ts';
import { type Answer, readAnswers } from './requests/answers.ts';
import { type Aim, badRequest } from './requests/bad-request.ts';
import { attackConfig } from './requests/odd-config.ts';

const TOKEN = 'el-token-que-nadie-sabe';
const BATCHES = 16;
/** Parallel connections, with one or several bad requests each. */
const CONNECTIONS = 25;
/** How long a connection must be silent before no more is expected, in milliseconds. */
const SILENCE = 250;

/** Configurations that are tried in a round. */
const CONFIGS = 6;
/** How often one client repeats a call with a wrong token. */
const REPEATED = 500;
/** What all bad requests of a round may add to the log, which come from one client: a few lines for each minute. */
const LOGGED = { lines: 40, bytes: 10_000 };

/** Sends the text and returns the answer; nothing if the connection is reset at once. */
function send(url: string, text: string, reset: boolean): Promise<Buffer> {
  const { connection, received } = openConnection({ url }, text);
  connection.setTimeout(SILENCE, () => connection.destroy());
  if (reset) connection.once('ready', () => setImmediate(() => connection.resetAndDestroy()));
  return received;
}

/** Asserts that an answer is no failure, reveals nothing that needs the token, and explains a refusal. */
function check({ status, headers, body }: Answer, { token, numero }: Aim): void {
  assert.ok(status < 500);
  assert.ok(!body.includes(token) && !body.includes(numero));
  // Some answers of Engine.IO and Node are only a status or, for a WebSocket, a bare text.
  if (status < 400 || headers.get('content-type') === 'text/html' || body === '') return;
  assert.match(headers.get('content-type') ?? '', /^application\/json/);
  assert.match(JSON.parse(body).message, /./);
}

/** Returns the number of answers. */
async function attackOnce(url: string, text: string, reset: boolean, aim: Aim): Promise<number> {
  const received = await send(url, text, reset);
  try {
    const answers = readAnswers(received, text.includes('HEAD'));
    for (const answer of answers) check(answer, aim);
    return answers.length;
  } catch (cause) {
    throw new Error(`${JSON.stringify(text).slice(0, 5_000)} was answered ${received}`, { cause });
  }
}

/** Asserts that calls with wrong tokens are refused, and returns their number. */
async function repeat(url: string): Promise<number> {
  const path = '/api/session/sessions';
  const refused = Array.from({ length: REPEATED }, async () => {
    const { status } = await call({ url }, path, { headers: { Authorization: 'Bearer wrong-wrong-wrong' } });
    assert.ok(status === 401 || status === 429, `${status}`);
  });
  return (await Promise.all(refused)).length;
}

async function handshake(url: string): Promise<string> {
  const answer = await fetch(`${url}/socket.io/?EIO=4&transport=polling`);
  const { sid } = JSON.parse((await answer.text()).slice(1));
  return sid;
}

export const requests: Attack = {
  name: 'requests',
  promise:
    'a gateway answers every bad request and configuration with a sentence, and does nothing without the token',
  async round(scope, random) {
    const gateway = run(scope, ['--port', '0', '--sessions', '1', '--log-level', 'info'], {
      env: { WO_TOKEN: TOKEN },
    });
    const url = await address(gateway);
    const list = async () => {
      const headers = { Authorization: `Bearer ${TOKEN}` };
      const { status, body } = await call({ url }, '/api/session/sessions', { headers });
      assert.equal(status, 200);
      return body as WireSession[];
    };
    const listener = await Listener.connect(scope, { url }, '/', { auth: { token: TOKEN } });
    const sessions = await list();
    const [session] = sessions;
    assert.ok(session);

    const logged = () => gateway.output.stderr;
    const before = logged().length;
    let answers = await repeat(url);
    for (let batch = 0; batch < BATCHES; batch += 1) {
      const aim = {
        numero: session.numero,
        token: TOKEN,
        host: new URL(url).host,
        sid: await handshake(url),
      };
      const tries = Array.from(
        { length: CONNECTIONS },
        () => [badRequest(random, aim), random.chance(0.1)] as const,
      );
      const answered = await Promise.all(tries.map(([text, reset]) => attackOnce(url, text, reset, aim)));
      for (const count of answered) answers += count;
      assert.deepEqual(await list(), sessions);
    }

    assert.ok(answers > 0, 'No request was answered');
    assert.deepEqual(listener.pushes, []);
    assert.equal(listener.socket.connected, true);
    assert.equal(gateway.child.exitCode, null);
    assert.deepEqual(complaints(gateway), []);
    const added = logged().slice(before);
    const lines = added.split('\n').length - 1;
    assert.ok(
      lines <= LOGGED.lines && added.length <= LOGGED.bytes,
      `The log grew by ${lines} lines: ${added}`,
    );
    for (let configs = 0; configs < CONFIGS; configs += 1) await attackConfig(scope, random);
    return { connections: BATCHES * CONNECTIONS, answers, lines, configurations: CONFIGS };
  },
};
