import type { Action, PanelEvent } from '../events.ts';
import { Listeners, Observable } from '../observable.ts';
import { toError } from '../server/http.ts';

/** Something to tell the operator once. */
export interface Notice {
  readonly kind: 'positive' | 'negative';
  readonly text: string;
  /** What it is about, where only the last word on that is worth a place. */
  readonly replaceKey: string | undefined;
}

export type Reporter = ReturnType<typeof createReporter>;

/** Tells the operator, the host page and the log what happens. */
export function createReporter() {
  /** The latest notice, until it is shown. */
  const notice = new Observable<Notice | undefined>(undefined);
  /** What the host page is told. */
  const events = new Listeners<[PanelEvent]>();

  /** Shows a notice. One with a `replaceKey` replaces the one before with the same key. */
  function notify(kind: Notice['kind'], text: string, replaceKey?: string): void {
    notice.set({ kind, text, replaceKey });
  }

  /** Reports a failure to the log and the page. */
  function report(error: Error, action: Action): void {
    console.error('whatsapp-operadores:', error);
    events.call({ name: 'wo-error', detail: { error, action } });
  }

  /** Reports that a part of the screen failed to render: it says so in its place. */
  function reportRendering(cause: unknown): void {
    report(toError(cause), 'render');
  }

  /** Reports a failure to the log, the page and the operator. */
  function fail(cause: unknown, action: Action, replaceKey?: string): Error {
    const error = toError(cause);
    report(error, action);
    // A list that cannot be had is one failure, however often it was requested.
    notify('negative', error.message, action === 'fetch' ? action : replaceKey);
    return error;
  }

  return { notice, events, notify, report, reportRendering, fail };
}
