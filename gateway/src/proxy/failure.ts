import { readField } from '../../../src/server/fields.ts';

/** Why a proxy does not work. */
export type ProxyFailure =
  /** Nothing answers at its address. */
  | 'unreachable'
  /** It does not answer in time. */
  | 'silent'
  /** It asks for another name or password. */
  | 'password'
  /** It does not let the gateway through. */
  | 'refuses'
  /** It, or what answers in place of WhatsApp, has a certificate that is not to be trusted. */
  | 'certificate';

/** A proxy does not work. */
export class ProxyError extends Error {
  override readonly name = 'ProxyError';
  readonly failure: ProxyFailure;
  /** The proxy's `host:port`. */
  readonly proxy: string;

  constructor(failure: ProxyFailure, proxy: string) {
    super(`${failure}: ${proxy}`);
    this.failure = failure;
    this.proxy = proxy;
  }
}

/** Returns why a proxy does not work, for the screen. */
export function proxySentence({ failure, proxy }: Pick<ProxyError, 'failure' | 'proxy'>): string {
  switch (failure) {
    case 'unreachable':
      return `No se llega al proxy ${proxy}.`;
    case 'silent':
      return `El proxy ${proxy} no responde.`;
    case 'password':
      return `El proxy ${proxy} no acepta el usuario y la contraseña.`;
    case 'refuses':
      return `El proxy ${proxy} no deja llegar a WhatsApp.`;
    case 'certificate':
      return `El proxy ${proxy} muestra un certificado que no es de confianza.`;
  }
}

/** The codes of Node's errors if nobody answers in time. */
const LATE = ['ETIMEDOUT', 'ABORT_ERR', 'ESOCKETTIMEDOUT'];

/** Returns the failure that an error of a connection through a proxy means. */
export function failureOf(error: unknown): ProxyFailure {
  const message = error instanceof Error ? error.message : '';
  // The errors of the package socks have no codes, but repeat those of Node.
  const [named = ''] = /\bE[A-Z]+\b/.exec(message) ?? [];
  const code = String(readField(error, 'code') ?? named);
  if (/CERT|ALTNAME|VERIFY|SELF_SIGNED/.test(code)) return 'certificate';
  if (LATE.includes(code) || /timed out/i.test(message)) return 'silent';
  if (/authentication/i.test(message)) return 'password';
  return /^E[A-Z]+$/.test(code) && code !== 'EPROTO' ? 'unreachable' : 'refuses';
}
