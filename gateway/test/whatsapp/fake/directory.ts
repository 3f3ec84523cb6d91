import { jidDecode } from '@whiskeysockets/baileys';
import { type Linkings, Phone } from './phone.ts';

/**
 * What happens to a message to a number: refused with a code, at once or after it was accepted; never answered; accepted
 * but never delivered; or accepted when the promise resolves.
 */
export type MessageFate = number | { later: number } | 'lost' | 'undelivered' | Promise<void>;

/** Knows who has WhatsApp: everybody, unless told otherwise. */
export class Directory {
  readonly #phones = new Map<string, Phone>();
  readonly #byLid = new Map<string, Phone>();
  readonly #without = new Set<string>();
  /** How often somebody has asked about each number that is not answered about. */
  readonly #unanswered = new Map<string, number>();
  readonly #aliases = new Map<string, string>();
  readonly #fates = new Map<string, MessageFate>();
  readonly #linkings: Linkings;
  readonly #preKeys: number;

  constructor(linkings: Linkings, preKeys: number) {
    this.#linkings = linkings;
    this.#preKeys = preKeys;
  }

  get phones(): Iterable<Phone> {
    return this.#phones.values();
  }

  phone(number: string): Phone {
    const known = this.#phones.get(number);
    if (known) return known;
    const lidUser = String(100_000_000_000_001 + this.#phones.size);
    const phone = new Phone(number, lidUser, this.#linkings, this.#preKeys);
    this.#phones.set(number, phone);
    this.#byLid.set(phone.lidUser, phone);
    return phone;
  }

  /** Returns the phone of a number in any of its forms, if it has WhatsApp. */
  byNumber(typed: string): Phone | undefined {
    const number = this.#aliases.get(typed) ?? typed;
    return this.#without.has(number) ? undefined : this.phone(number);
  }

  /** Returns the phone of a jid: of a number, a LID, or a linked device. */
  byJid(jid: string | undefined): Phone | undefined {
    const decoded = jidDecode(jid);
    if (!decoded) return undefined;
    return decoded.server === 'lid' ? this.#byLid.get(decoded.user) : this.byNumber(decoded.user);
  }

  /** Whether this query about a number is answered at all. */
  answersAbout(number: string): boolean {
    const asked = this.#unanswered.get(number);
    if (asked !== undefined) this.#unanswered.set(number, asked + 1);
    return asked === undefined;
  }

  unansweredAbout(number: string): number {
    return this.#unanswered.get(number) ?? 0;
  }

  fateOf({ number }: Phone): MessageFate | undefined {
    return this.#fates.get(number);
  }

  setNoWhatsapp(number: string): void {
    this.#without.add(number);
  }

  setNoAnswer(number: string): void {
    this.#unanswered.set(number, 0);
  }

  setAlias(typed: string, number: string): void {
    this.#aliases.set(typed, number);
  }

  setFate(number: string, fate: MessageFate | undefined): void {
    if (fate === undefined) this.#fates.delete(number);
    else this.#fates.set(number, fate);
  }
}
