import { createHash, timingSafeEqual } from 'node:crypto';
import { EventEmitter } from 'node:events';
import type { Logger } from 'pino';
import { accessHash, type UsersByToken } from './access-file.ts';
import { AUDIENCE, type JwtKey, verifyJwt } from './jwt.ts';
import { type Denial, WrongTokens } from './tokens.ts';
import { type Admitted, ANYBODY } from './users.ts';

/** What admits clients. Without any of it, everybody may do everything. */
export interface AccessOptions {
  /**
   * The token of those who may do everything, sent unencoded in a header. Without it, `access` and `jwtKey`, everybody who
   * can connect may.
   */
  token?: string | undefined;
  /** The file with other users: docs/access.md. It is read again when it changes. */
  access?: string | undefined;
  /** The file with the key of tokens that the portal signs: docs/access.md. It is read again when it changes. */
  jwtKey?: string | undefined;
  /** The audience of those tokens. Default `whatsapp-operadores`. */
  jwtAudience?: string | undefined;
}

export function isAdmitted(answer: Admitted | Denial | string): answer is Admitted {
  return typeof answer === 'object' && 'user' in answer;
}

const MISSING: Denial = { status: 401, message: 'Falta el token de acceso.' };
const EXPIRED: Denial = { status: 401, message: 'El token de acceso caducó.' };

/**
 * Tells who a client is by its token: the gateway's own, one of the access file, or one that the portal has signed.
 *
 * A valid token always passes: if the limit came first, wrong tokens would lock out everybody at the same address, which
 * behind a proxy can be everybody. So the limit does not protect the tokens from guessing, which their length does. It
 * only answers persistent wrong tokens with 429 instead of 401.
 *
 * Emits `changed` when a token may have another user, or none.
 */
export class Admission extends EventEmitter<{ changed: [] }> {
  readonly #audience: string;
  readonly #log: Pick<Logger, 'debug'>;
  readonly #own: Buffer | undefined;
  readonly #wrong = new WrongTokens(
    'El token de acceso no es correcto.',
    'Demasiados intentos con tokens que no son correctos',
  );
  /** Undefined without an access file. */
  #users: UsersByToken | undefined;
  #jwtKey: JwtKey | undefined;
  #revision = 0;

  constructor({ token, access, jwtAudience = AUDIENCE }: AccessOptions, log: Pick<Logger, 'debug'>) {
    super();
    this.#log = log;
    this.#audience = jwtAudience;
    this.#own = token === undefined ? undefined : digest(token);
    this.#users = access === undefined ? undefined : new Map();
  }

  /** How often the users of tokens have changed. */
  get revision(): number {
    return this.#revision;
  }

  setUsers(users: UsersByToken): void {
    this.#users = users;
    this.#change();
  }

  setJwtKey(key: JwtKey): void {
    this.#jwtKey = key;
    this.#change();
  }

  /** @param client the address to which wrong tokens are counted */
  async admit(token: unknown, client: string): Promise<Admitted | Denial> {
    const admitted = await this.recognize(token);
    if (isAdmitted(admitted)) return admitted;
    if (admitted === 'missing') return MISSING;
    return admitted === 'expired' ? EXPIRED : this.#wrong.deny(client);
  }

  /** Like {@link admit}, for a client that was admitted before: nothing is counted. */
  async recognize(token: unknown): Promise<Admitted | 'missing' | 'expired' | 'wrong'> {
    if (!this.#own && !this.#users && !this.#jwtKey) return { user: ANYBODY };
    if (typeof token !== 'string' || token === '') return 'missing';
    // A digest has the same length for any token.
    if (this.#own && timingSafeEqual(digest(token), this.#own)) return { user: ANYBODY };
    const user = this.#users?.get(accessHash(token));
    if (user) return { user };
    if (!this.#jwtKey) return 'wrong';
    const signed = await verifyJwt(token, this.#jwtKey, this.#audience);
    if (typeof signed !== 'string' || signed === 'expired') return signed;
    this.#log.debug({ reason: signed }, 'A signed token is not valid.');
    return 'wrong';
  }

  #change(): void {
    this.#revision += 1;
    this.emit('changed');
  }
}

function digest(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
