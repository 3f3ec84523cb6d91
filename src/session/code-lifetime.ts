/** A QR code that a session shows, and what is known of its age. */
export interface Code {
  /** Its first field, which names it: WhatsApp may replace its secret, another one, at any time. */
  readonly ref: string | undefined;
  /** When the panel received it, and when it ends, in milliseconds since 1970 by the browser's clock. */
  readonly at: number;
  readonly until: number;
  /** Whether a push brought it: the age of one from a list is unknown. */
  readonly pushed: boolean;
  /** The operator asked to see it although its time was over. */
  readonly trusted?: boolean;
}

/** How long a code lives where the server does not tell, in milliseconds: WhatsApp's own rhythm. */
export const lifeOf = (isFirst: boolean): number => (isFirst ? 60_000 : 20_000);
