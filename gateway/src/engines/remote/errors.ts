/** Why a request to another server failed. */
export type RemoteFailure =
  /** It cannot be reached, or does not answer in time. */
  | 'unreachable'
  /** It rejects the key. */
  | 'key'
  /** It is not activated. */
  | 'license'
  /** The answer is invalid: a web page, incomplete, malformed, or too long. */
  | 'nonsense'
  /** Its edition has only the session `default`. */
  | 'single'
  /** It failed. */
  | 'failed'
  /** It rejects the request. */
  | 'refused';

const SENTENCES: Record<RemoteFailure, (server: string, code: string) => string> = {
  unreachable: (server, code) => `${server} cannot be reached (${code}): start it, or correct --server.`,
  key: (server) => `${server} rejects the key: set its key as WO_SERVER_KEY.`,
  license: (server) => `${server} is not activated: activate its license.`,
  nonsense: (server, code) =>
    `What answers at --server is not the API of ${server} (${code}): correct --server, look for a proxy in front of it, or check its version.`,
  single: (server) => `This ${server} allows only the session 'default': get an edition with more sessions.`,
  failed: (server, code) => `${server} failed (${code}): look at its log.`,
  refused: (server, code) => `${server} rejects a request (${code}): its version may be too old.`,
};

/** Codes of errors before a request was sent. */
const EARLY = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
];

/** A request to another server failed. No message quotes the server's answer, which may contain keys. */
export class RemoteError extends Error {
  override readonly name = 'RemoteError';
  readonly failure: RemoteFailure;
  /** The server's name for operators. */
  readonly server: string;
  /** The status of its answer, or the code of the error. */
  readonly code: string;

  constructor(failure: RemoteFailure, server: string, code: string) {
    super(`${server}: ${failure} (${code})`);
    this.failure = failure;
    this.server = server;
    this.code = code;
  }

  /** For the operator log: what is wrong, and what to do. */
  get sentence(): string {
    return SENTENCES[this.failure](this.server, this.code);
  }

  /**
   * Whether it is a finding about the session that was asked for: a server that is down, rejects the key or is not what
   * answers fails for all of them, which its list shows.
   */
  get isOfSession(): boolean {
    return this.failure === 'failed' || this.failure === 'refused' || this.code === 'TimeoutError';
  }

  /** Whether the request may have taken effect nevertheless. */
  get isUncertain(): boolean {
    if (this.failure === 'unreachable') return !EARLY.includes(this.code);
    return this.failure === 'nonsense' || this.failure === 'failed';
  }
}
