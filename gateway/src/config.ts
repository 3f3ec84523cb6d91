import { parseArgs } from 'node:util';
import type { WhatsappOptions } from './engines/whatsapp/engine.ts';
import type { GatewayOptions } from './gateway.ts';
import { isTrustable, LOOPBACK, parseHost } from './security/addresses.ts';

export const HELP = `The gateway for <whatsapp-operadores>.

Usage: npm start -- [options]

  --port N               port to listen on; 0 takes a free one (default 8080)
  --token TOKEN          access token of 16 or more characters; better set as the variable WO_TOKEN
  --host HOST            address or name to listen on; others than the default need a token
                         (default 127.0.0.1)
  --trust-proxy ADDRESS  proxy whose X-Forwarded-For to trust: an address, a network such as 10.0.0.0/8,
                         loopback, linklocal or uniquelocal; repeatable (default none)
  --sessions N           number of initial sessions (default 6)
  --speed X              how many times faster the simulated phones live (default 1)
  --allow-origin ORIGIN  another origin whose pages may use the gateway, such as
                         https://portal.example; repeatable (default none)
  --other-server ORIGIN  origin of another gateway for the demo pages, such as the portal's second
                         branch; repeatable (default none)
  --engine NAME          simulated or whatsapp (default simulated)
  --data DIR             where --engine whatsapp keeps sessions and keys (default ./whatsapp-data)
  --whatsapp-url URL     server for --engine whatsapp, as wss://… (default WhatsApp's own)
  --help                 show this help
`;

/** A shorter one can be guessed. */
const MIN_TOKEN = 16;
const DEFAULT_DATA = 'whatsapp-data';
const MAX_SESSIONS = 100_000;
const MAX_SPEED = 10_000;

/** A mistake on the command line; the message is one sentence for the operator. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** An alternative for the token that the list of processes does not show. */
interface Environment {
  readonly WO_TOKEN?: string;
}

/** Parses the command line; returns `help` if it asks for help. Throws {@link UsageError}. */
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
    // This may be the end of an unquoted token with a space, which must not get into a log.
    if (/^Unexpected argument/.test(sentence) && args.some((arg) => arg.startsWith('--token'))) {
      throw new UsageError('Unexpected argument; see --help.');
    }
    throw new UsageError(`${sentence.replace(/\.$/, '')}; see --help.`);
  }
}

/** Returns the options of the engine for real phones; undefined for the simulated one. */
function engine(values: ReturnType<typeof parse>): WhatsappOptions | undefined {
  const { engine: name = 'simulated', data: folder = DEFAULT_DATA, 'whatsapp-url': url } = values;
  if (name !== 'simulated' && name !== 'whatsapp') {
    throw new UsageError(`--engine takes simulated or whatsapp, not '${name}'.`);
  }
  const foreign =
    name === 'whatsapp' ? (['sessions', 'speed'] as const) : (['data', 'whatsapp-url'] as const);
  for (const option of foreign) {
    if (values[option] !== undefined) throw new UsageError(`--${option} does not apply to --engine ${name}.`);
  }
  if (name === 'simulated') return undefined;
  if (folder === '') throw new UsageError('--data takes a folder.');
  return url === undefined ? { folder } : { folder, url: socketUrl('--whatsapp-url', url) };
}

function socketUrl(name: string, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^wss?:$/.test(url.protocol)) {
    throw new UsageError(`${name} takes a URL such as wss://whatsapp.example/, not '${text}'.`);
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

/** Does not quote the token in the error, which may end up in a log. */
function token(name: string, text: string | undefined): string | undefined {
  if (text === undefined || (text.length >= MIN_TOKEN && /^[\w.~+/=-]+$/.test(text))) return text;
  throw new UsageError(
    `${name} takes ${MIN_TOKEN} or more characters, each an English letter, a digit or one of -._~+/=.`,
  );
}

function host(text: string | undefined, hasToken: boolean): string | undefined {
  if (text === undefined) return undefined;
  const name = parseHost(text);
  if (name === undefined) throw new UsageError(`--host takes an address or a name, not '${text}'.`);
  if (name !== LOOPBACK && !hasToken) {
    throw new UsageError(`--host ${text} admits other machines, which requires --token or WO_TOKEN.`);
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
