import { createHash } from 'node:crypto';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { readField } from '../../../../src/server/fields.ts';
import { parseJson } from '../../json.ts';
import type { PasskeyAssertion, PasskeyChallenge } from '../../sessions/engine.ts';

/** The only site whose pages can sign. */
const ORIGIN = 'https://web.whatsapp.com';

/** Most bytes of what WhatsApp has signed; it is some 200 bytes. */
const MOST = 4_096;

/** The person was there, and has proved it to be theirs: bits of the flags after the hash. */
const PRESENT_AND_VERIFIED = 0x05;
const FLAGS = 32;

const Options = Type.Object({
  challenge: Type.String({ minLength: 1 }),
  rpId: Type.String({ pattern: '^(?:[\\w-]+\\.)*whatsapp\\.com$' }),
});

export type SignedOptions = PasskeyChallenge & { readonly rpId: string };

/** Reads the options of a WebAuthn request; undefined if they are not those of WhatsApp. */
export function readOptions(bytes: Uint8Array): SignedOptions | undefined {
  const options = bytes.length > MOST ? undefined : parseJson(Buffer.from(bytes).toString());
  return Value.Check(Options, options) ? options : undefined;
}

/** Returns the first part of a signature that does not fit what was to be signed: WhatsApp would refuse it. */
export function misfitOf({ id, rawId, response }: PasskeyAssertion, options: SignedOptions) {
  const client = parseJson(decode(response.clientDataJSON).toString());
  const challenge = readField(client, 'challenge');
  if (typeof challenge !== 'string' || plain(challenge) !== plain(options.challenge)) return 'challenge';
  if (plain(id) !== plain(rawId)) return 'id';
  const isOfWhatsapp = readField(client, 'origin') === ORIGIN;
  if (!isOfWhatsapp || readField(client, 'type') !== 'webauthn.get') return 'clientDataJSON';
  const data = decode(response.authenticatorData);
  const hash = createHash('sha256').update(options.rpId).digest();
  const isVerified = ((data[FLAGS] ?? 0) & PRESENT_AND_VERIFIED) === PRESENT_AND_VERIFIED;
  return isVerified && data.subarray(0, FLAGS).equals(hash) ? undefined : 'authenticatorData';
}

/** Writes a signature as WhatsApp Web does: these fields in this order, base64url without padding. */
export function writeSignature({ id, rawId, type, response }: PasskeyAssertion): Buffer {
  const { clientDataJSON, authenticatorData, signature, userHandle } = response;
  const written = {
    id: plain(id),
    rawId: plain(rawId),
    type,
    response: {
      clientDataJSON: plain(clientDataJSON),
      authenticatorData: plain(authenticatorData),
      signature: plain(signature),
      userHandle: userHandle ? plain(userHandle) : null,
    },
  };
  return Buffer.from(JSON.stringify(written));
}

export function decode(base64: string): Buffer {
  return Buffer.from(base64, 'base64url');
}

function plain(base64: string): string {
  return decode(base64).toString('base64url');
}
