import { createHash } from 'node:crypto';
import type { PasskeyAssertion, PasskeyChallenge } from '../../src/sessions/engine.ts';

/** What a browser says that signs; by default, what it should. */
export interface Signing {
  readonly challenge?: string;
  readonly origin?: string;
  readonly type?: string;
  readonly rpId?: string;
  readonly flags?: number;
}

/** Returns what a browser does on a page of WhatsApp Web; the signature itself is none. */
export function signed(asked: PasskeyChallenge | undefined, said: Signing = {}): PasskeyAssertion {
  const options = { challenge: String(asked?.challenge), rpId: String(asked?.rpId), ...said };
  const {
    challenge,
    rpId,
    origin = 'https://web.whatsapp.com',
    type = 'webauthn.get',
    flags = 0x05,
  } = options;
  const id = base64url('credential-1');
  const hash = createHash('sha256').update(rpId).digest();
  return {
    id,
    rawId: id,
    type: 'public-key',
    response: {
      clientDataJSON: base64url(JSON.stringify({ type, challenge, origin, crossOrigin: false })),
      authenticatorData: base64url(Buffer.concat([hash, Buffer.from([flags, 0, 0, 0, 0])])),
      signature: base64url('canary-signature'),
    },
  };
}

const base64url = (data: string | Buffer) => Buffer.from(data).toString('base64url');
