import { createPublicKey, type KeyObject } from 'node:crypto';
import type { JWTPayload } from 'jose';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { normal } from '../sessions/naming.ts';
import { isRight, nameProblem } from './access-file.ts';
import { SettingsFileError } from './settings-file.ts';
import { type Admitted, scopeOf } from './users.ts';

/** The audience of tokens for a gateway, unless the operator chooses another. */
export const AUDIENCE = 'whatsapp-operadores';

/** By how much the clocks of the portal and the gateway may differ, in seconds. */
const CLOCK_TOLERANCE = 5;
/** Shortest secret for HS256, in bytes (RFC 7518, section 3.2). */
const SHORTEST_SECRET = 32;

export const JWT_KEY = '--jwt-key';

/** Checks tokens that the portal signs. */
export interface JwtKey {
  readonly key: KeyObject | Uint8Array;
  /** The only algorithm that is accepted with the key: one that the token chose could be another key's. */
  readonly algorithm: 'RS256' | 'ES256' | 'EdDSA' | 'HS256';
}

/** Reads the key in a file: a public key in PEM, or the secret of HS256. Throws a `SettingsFileError`. */
export function parseJwtKey(text: string): JwtKey {
  if (isSecret(text)) return { key: secretOf(text), algorithm: 'HS256' };
  if (text.includes('PRIVATE KEY')) {
    throw new SettingsFileError(
      `The file of ${JWT_KEY} holds a private key: it needs the public one, as openssl pkey -pubout writes it.`,
    );
  }
  return publicKeyOf(text);
}

/** Whether the text of a key file is a secret: not to be read by others. */
export function isSecret(text: string): boolean {
  return !text.includes('-----BEGIN');
}

function publicKeyOf(text: string): JwtKey {
  try {
    const key = createPublicKey(text);
    const { modulusLength = 0, namedCurve } = key.asymmetricKeyDetails ?? {};
    switch (key.asymmetricKeyType) {
      case 'rsa':
        if (modulusLength >= 2048) return { key, algorithm: 'RS256' };
        break;
      case 'ec':
        if (namedCurve === 'prime256v1') return { key, algorithm: 'ES256' };
        break;
      case 'ed25519':
        return { key, algorithm: 'EdDSA' };
    }
  } catch {
    // The error may quote the file.
  }
  throw new SettingsFileError(
    `The file of ${JWT_KEY} holds no key that can be used: RSA of 2048 bits or more, P-256 or Ed25519 in PEM, or a secret for HS256.`,
  );
}

function secretOf(text: string): Uint8Array {
  const secret = Buffer.from(text.trim());
  if (secret.length >= SHORTEST_SECRET) return secret;
  throw new SettingsFileError(
    `The file of ${JWT_KEY} needs a public key in PEM, or a secret of ${SHORTEST_SECRET} bytes or more for HS256.`,
  );
}

const Claims = Type.Object({
  name: Type.String(),
  exp: Type.Number(),
  may: Type.Array(Type.String()),
  groups: Type.Optional(Type.Array(Type.String())),
  numeros: Type.Optional(Type.Array(Type.String())),
});

/** Returns the user of a token; otherwise `expired`, or what is wrong with it, for the operator log. */
export async function verifyJwt(
  token: string,
  { key, algorithm }: JwtKey,
  audience: string,
): Promise<Admitted | string> {
  // Most gateways have no such key.
  const { errors, jwtVerify } = await import('jose');
  try {
    const { payload } = await jwtVerify(token, key, {
      algorithms: [algorithm],
      audience,
      clockTolerance: CLOCK_TOLERANCE,
      requiredClaims: ['exp'],
    });
    return signedUser(payload);
  } catch (error) {
    // jose checks the signature and the audience first.
    if (error instanceof errors.JWTExpired) return 'expired';
    // Its messages name claims, and never quote their values.
    if (error instanceof errors.JOSEError) return error.message;
    throw error;
  }
}

function signedUser(payload: JWTPayload): Admitted | string {
  if (!Value.Check(Claims, payload))
    return 'The claims name, may, groups or numeros are not as they should be';
  const problem = nameProblem(payload.name);
  if (problem !== undefined) return `The user ${problem}`;
  const { exp, ...claims }: Static<typeof Claims> = payload;
  const { name, may, groups, numeros } = claims;
  // A portal of a later version may know more words.
  const user = { name: normal(name), rights: new Set(may.filter(isRight)), scope: scopeOf(groups, numeros) };
  return { user, until: (exp + CLOCK_TOLERANCE) * 1_000 };
}
