import type { Action, PanelEvent } from '../events.ts';
import { Listeners, Observable } from '../observable.ts';

/** Something to tell the operator once. */
export interface Notice {
  readonly kind: 'positive' | 'negative';
  readonly text: string;
  /** What it is about, where only the last word on that is worth a place. */
  readonly replaceKey: string | undefined;
}

/** Tells the operator, the host page and the log what happens. */
export class Reporter {
  /** The latest notice, until it is shown. */
  readonly notice = new Observable<Notice | undefined>(undefined);
  /** What the host page is told. */
  readonly events = new Listeners<[PanelEvent]>();

  /** Shows a notice. One with a `replaceKey` replaces the one before with the same key. */
  readonly notify = (kind: Notice['kind'], text: string, replaceKey?: string): void => {
    this.notice.set({ kind, text, replaceKey });
  };

  /** Reports a failure to the log and the page. */
  readonly report = (error: Error, action: Action): void => {
    console.error('whatsapp-operadores:', error);
    this.events.call({ name: 'wo-error', detail: { error, action } });
  };

  /** Reports a failure to the log, the page and the operator. */
  fail(cause: unknown, action: Action, replaceKey?: string): Error {
    const error = toError(cause);
    this.report(error, action);
    // A list that cannot be had is one failure, however often it was requested.
    this.notify('negative', error.message, action === 'fetch' ? action : replaceKey);
    return error;
  }
}

export const toError = (cause: unknown): Error => (cause instanceof Error ? cause : new Error(String(cause)));
