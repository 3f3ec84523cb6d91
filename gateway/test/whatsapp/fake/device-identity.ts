import {
  Curve,
  hmacSign,
  type KeyPair,
  proto,
  WA_ADV_ACCOUNT_SIG_PREFIX,
  WA_ADV_DEVICE_SIG_PREFIX,
} from '@whiskeysockets/baileys';

// ADV, authenticated device verification: an account and its device sign each other's keys.

const { ADVDeviceIdentity, ADVSignedDeviceIdentity, ADVSignedDeviceIdentityHMAC } = proto;

/** Signs a device for its account. The HMAC proves that the phone knows the secret in the QR code. */
export function signDevice(
  account: KeyPair,
  deviceKey: Uint8Array,
  keyIndex: number,
  advSecret: Buffer,
): Uint8Array {
  const timestamp = Math.floor(Date.now() / 1000);
  const details = ADVDeviceIdentity.encode({ rawId: keyIndex, timestamp, keyIndex }).finish();
  const message = Buffer.concat([WA_ADV_ACCOUNT_SIG_PREFIX, details, deviceKey]);
  const signed = ADVSignedDeviceIdentity.encode({
    details,
    accountSignatureKey: account.public,
    accountSignature: Curve.sign(account.private, message),
  }).finish();
  return ADVSignedDeviceIdentityHMAC.encode({ details: signed, hmac: hmacSign(signed, advSecret) }).finish();
}

/** Whether the device has signed the account in turn, in its answer to pair-success. */
export function isSignedByDevice(identity: Uint8Array, account: KeyPair, deviceKey: Uint8Array): boolean {
  const { details, deviceSignature } = ADVSignedDeviceIdentity.decode(identity);
  if (!details || !deviceSignature) return false;
  const message = Buffer.concat([WA_ADV_DEVICE_SIG_PREFIX, details, deviceKey, account.public]);
  return Curve.verify(deviceKey, message, deviceSignature);
}
