import { Curve, proto, WA_CERT_DETAILS } from '@whiskeysockets/baileys';

const { CertChain } = proto;
const { Details } = CertChain.NoiseCertificate;

function certify(issuerPrivateKey: Uint8Array, serial: number, issuerSerial: number, key: Uint8Array) {
  const now = Math.floor(Date.now() / 1000);
  const day = 24 * 60 * 60;
  const details = Details.encode({
    serial,
    issuerSerial,
    key,
    notBefore: now - day,
    notAfter: now + day,
  }).finish();
  return { details, signature: Curve.sign(issuerPrivateKey, details) };
}

/**
 * Returns the certificate chain for the server's static key: root, intermediate, leaf.
 *
 * It is well-formed and correctly signed, but the root is our own, since WhatsApp's private key is secret. Baileys
 * 7.0.0-rc14 accepts it: it asks libsignal to verify the signature and treats any result but an exception as valid, and
 * libsignal returns false. Once Baileys fixes this, the fake needs another way in.
 */
export function certificateChain(serverKey: Uint8Array): Uint8Array {
  const root = Curve.generateKeyPair();
  const intermediate = Curve.generateKeyPair();
  return CertChain.encode({
    intermediate: certify(root.private, 1, WA_CERT_DETAILS.SERIAL, intermediate.public),
    leaf: certify(intermediate.private, 2, 1, serverKey),
  }).finish();
}
