import parsePhoneNumber from 'libphonenumber-js/max';

/**
 * Returns the gateway's canonical form of a numero: digits with the country code, as WhatsApp has them. Texts that the
 * library does not recognize as phone numbers stay as they look.
 */
export function canonicalNumero(text: string): string {
  return whatsappDigits(text) ?? seen(text);
}

/** Returns a text without the marks that nobody sees, such as those that set its direction: they are copied with it. */
export function seen(text: string): string {
  return text.replace(/\p{Format}/gu, '');
}

/**
 * Returns a key that all written forms of one number share, with `+`, spaces, 52 or 521, 54 or 549 and so on. It is its
 * own key, and that of the canonical form: a user's rights are decided by what was typed, and sessions are listed by the
 * canonical form.
 */
export function numeroKey(text: string): string {
  return whatsappDigits(text) ?? (digitsOf(text) || text);
}

export function digitsOf(numero: string): string {
  return numero.replace(/\D/g, '');
}

export function sameNumero(one: string, other: string): boolean {
  return numeroKey(one) === numeroKey(other);
}

/**
 * Returns the digits by which WhatsApp knows a number; undefined if the library does not recognize it.
 *
 * Three countries have accounts under two forms, depending on when they registered: Mexico with and without a 1 after
 * its code, which the network dropped in 2019; Argentina with and without the 9 of mobile numbers; Brazil with and
 * without the ninth digit that mobile numbers got from 2012 on. Both forms become the longer one.
 */
function whatsappDigits(text: string): string | undefined {
  const phone = parsePhoneNumber(`+${digitsOf(text).replace(/^00/, '')}`);
  if (!phone) return undefined;
  const national = phone.nationalNumber;
  switch (phone.countryCallingCode) {
    case '52':
      if (/^1?\d{10}$/.test(national)) return `521${national.slice(-10)}`;
      break;
    case '54':
      if (/^9?\d{10}$/.test(national)) return `549${national.slice(-10)}`;
      break;
    case '55':
      // Eight digits after the area code: a landline if they begin with 2 to 5, otherwise an old mobile number. An area
      // code has no zeros: where the library leaves a trunk prefix, the result would be read as another number.
      if (/^[1-9]{2}[6-9]\d{7}$/.test(national)) return `55${national.slice(0, 2)}9${national.slice(2)}`;
  }
  return phone.isValid() ? `${phone.countryCallingCode}${national}` : undefined;
}
