/** Longest name that is shown, in characters; WhatsApp's own limit is 25. */
const LONGEST = 60;

/**
 * Characters that a name may contain but a list must not: control characters, and those that change the direction of
 * text.
 */
const UNFIT = /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]+/gu;

/** Returns an account's own name without unprintable characters; undefined if nothing is left. */
export function accountName(text: string | undefined): string | undefined {
  const clean = (text ?? '').replace(UNFIT, ' ').replace(/\s+/g, ' ').trim();
  return [...clean].slice(0, LONGEST).join('').trimEnd() || undefined;
}
