/** Longest name that is shown, in characters; WhatsApp's own limit is 25. */
const LONGEST = 60;

/** What others may write into a name but must not reach a list: control characters, and those that turn text around. */
const UNFIT = /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]+/gu;

/** Returns an account's own name as it can be shown; undefined if nothing of it is left. */
export function accountName(text: string | undefined): string | undefined {
  const clean = (text ?? '').replace(UNFIT, ' ').replace(/\s+/g, ' ').trim();
  return [...clean].slice(0, LONGEST).join('').trimEnd() || undefined;
}
