import type { Notification } from './notification.ts';

/** One way to tell people. */
export interface Messenger {
  /** For logs and metrics. */
  readonly name: 'webhook' | 'whatsapp';
  /** Shortest time between two notifications, in milliseconds. */
  readonly interval: number;
  /** Whether those who are told see that a notification is the same as one before: it can then be sent again. */
  readonly isRepeatable: boolean;
  /** Whether this gateway can try to deliver one now. */
  isReady(): boolean;
  /** Rejects if the notification did not arrive. */
  deliver(notification: Notification): Promise<void>;
}

/** A notification did not arrive. */
export class Undelivered extends Error {
  override readonly name = 'Undelivered';
  readonly code: string;

  /** @param code why, for logs */
  constructor(code: string) {
    super(code);
    this.code = code;
  }
}
