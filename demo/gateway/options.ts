import { parseArgs } from 'node:util';
import { isTrustable } from './client-address.ts';
import type { GatewayOptions } from './gateway.ts';
import { LOOPBACK, parseHost } from './host.ts';
import type { WhatsappOptions } from './whatsapp/engine.ts';

export const HELP = `A gateway for <whatsapp-operadores>, on 127.0.0.1 unless told otherwise.

Usage: npm start -- [options]

  --port N               port to listen on; 0 takes a free one (default 8080)
  --token TOKEN          lets in only who brings it, 16 characters or more; better given as WO_TOKEN
  --host HOST            address or name to listen on (default 127.0.0.1; others need a token)
  --trust-proxy ADDRESS  believes a proxy's X-Forwarded-For: an address, a network such as 10.0.0.0/8, or
                         loopback, linklocal or uniquelocal; may be repeated (default none)
  --sessions N           how many sessions are on the list at the start (default 6)
  --speed X              time runs X times faster for the simulated phones (default 1)
  --allow-origin ORIGIN  lets pages of another origin in, e.g. https://portal.example; may be repeated
  --other-server ORIGIN  lets the demo pages use another gateway too, as the portal's second branch does
  --engine NAME          what links the sessions: simulated or whatsapp (default simulated)
  --data DIR             where whatsapp keeps sessions and their keys (default ./whatsapp-data)
  --whatsapp-url URL     the server that whatsapp talks to, as wss://… (default WhatsApp's own)
  --help                 shows this
`;

/** A shorter one can be guessed. */
const MIN_TOKEN = 16;
const DEFAULT_DATA = 'whatsapp-data';
const MAX_SESSIONS = 100_000;
const MAX_SPEED = 10_000;

/** A mistake on the command line; the message is one sentence for whoever typed it. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Where a token can be given so that nobody sees it in the list of processes. */
interface Environment {
  readonly WO_TOKEN?: string;
}

/** Reads the command line; `help` when that is what it asks for. Throws {@link UsageError}. */
export function parseOptions(
  args: readonly string[],
  { WO_TOKEN }: Environment = process.env,
): GatewayOptions | 'help' {
  const values = parse(args);
  if (values.help) return 'help';
  const whatsapp = engine(values);
  const secret = values.token === undefined ? token('WO_TOKEN', WO_TOKEN) : token('--token', values.token);
  return {
    port: integer('--port', values.port, 65_535),
    token: secret,
    host: host(values.host, secret !== undefined),
    trustProxy: values['trust-proxy']?.map(proxy),
    sessions: integer('--sessions', values.sessions, MAX_SESSIONS),
    speed: speed(values.speed),
    allowOrigins: values['allow-origin']?.map((text) => origin('--allow-origin', text)),
    otherServers: values['other-server']?.map((text) => origin('--other-server', text)),
    ...(whatsapp && { whatsapp }),
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        port: { type: 'string' },
        token: { type: 'string' },
        host: { type: 'string' },
        'trust-proxy': { type: 'string', multiple: true },
        sessions: { type: 'string' },
        speed: { type: 'string' },
        'allow-origin': { type: 'string', multiple: true },
        'other-server': { type: 'string', multiple: true },
        engine: { type: 'string' },
        data: { type: 'string' },
        'whatsapp-url': { type: 'string' },
        help: { type: 'boolean' },
      },
    }).values;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    // Node adds advice in further sentences; the first one says what is wrong.
    const [sentence = error.message] = error.message.split(/\.\s/);
    // A token with a space that nobody quoted: its end must not be told to a log.
    if (/^Unexpected argument/.test(sentence) && args.some((arg) => arg.startsWith('--token'))) {
      throw new UsageError('Unexpected argument; see --help.');
    }
    throw new UsageError(`${sentence.replace(/\.$/, '')}; see --help.`);
  }
}

/** What the engine for real phones is told; undefined for the simulated one. */
function engine(values: ReturnType<typeof parse>): WhatsappOptions | undefined {
  const { engine: name = 'simulated', data: folder = DEFAULT_DATA, 'whatsapp-url': url } = values;
  if (name !== 'simulated' && name !== 'whatsapp') {
    throw new UsageError(`There is no engine '${name}': --engine takes simulated or whatsapp.`);
  }
  const foreign =
    name === 'whatsapp' ? (['sessions', 'speed'] as const) : (['data', 'whatsapp-url'] as const);
  for (const option of foreign) {
    if (values[option] !== undefined) throw new UsageError(`--${option} is not for --engine ${name}.`);
  }
  if (name === 'simulated') return undefined;
  if (folder === '') throw new UsageError('--data takes a folder.');
  return url === undefined ? { folder } : { folder, url: socketUrl('--whatsapp-url', url) };
}

function socketUrl(name: string, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^wss?:$/.test(url.protocol)) {
    throw new UsageError(`${name} takes an address such as wss://whatsapp.example/, not '${text}'.`);
  }
  return url.href;
}

function integer(name: string, text: string | undefined, max: number): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (!/^\d+$/.test(text) || value > max) {
    throw new UsageError(`${name} takes a whole number from 0 to ${max}, not '${text}'.`);
  }
  return value;
}

/** The sentence does not repeat what was typed: it may end in a log. */
function token(name: string, text: string | undefined): string | undefined {
  if (text === undefined || (text.length >= MIN_TOKEN && /^[\w.~+/=-]+$/.test(text))) return text;
  throw new UsageError(
    `${name} takes ${MIN_TOKEN} characters or more, of which each is a letter of English, a digit or one of -._~+/=.`,
  );
}

function host(text: string | undefined, hasToken: boolean): string | undefined {
  if (text === undefined) return undefined;
  const name = parseHost(text);
  if (name === undefined) throw new UsageError(`--host takes an address or a name, not '${text}'.`);
  if (name !== LOOPBACK && !hasToken) {
    throw new UsageError(`--host ${text} lets other machines in: that takes a --token or WO_TOKEN too.`);
  }
  return name;
}

function proxy(text: string): string {
  if (isTrustable(text)) return text;
  throw new UsageError(
    `--trust-proxy takes an address, a network such as 10.0.0.0/8, or loopback, linklocal or uniquelocal, not '${text}'.`,
  );
}

function speed(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (!(value > 0 && value <= MAX_SPEED)) {
    throw new UsageError(`--speed takes a number above 0 and up to ${MAX_SPEED}, not '${text}'.`);
  }
  return value;
}

function origin(name: string, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.href !== `${url.origin}/`) {
    throw new UsageError(`${name} takes an origin such as https://portal.example, not '${text}'.`);
  }
  return url.origin;
}
