/** The events that the panel dispatches on its element, with their details. All bubble and cross shadow roots. */
import type { CallName } from '../server/server.ts';
import type { Session } from '../session/session.ts';
import type { Asks } from '../session/states.ts';
import type { Order, ShownView } from '../settings.ts';

/** What the panel was doing when something failed: a call that it reports, or to render. */
export type Action = Exclude<CallName, 'history'> | 'render';

export interface PanelEventDetails {
  /** A session shows another state text than before. */
  'wo-session-change': {
    readonly numero: string;
    /** The text that it shows now; undefined when the session is no longer listed. */
    readonly state: string | undefined;
    /** The text that it showed before; undefined when it was not listed. */
    readonly previousState: string | undefined;
    /** What it asks of the operator now; undefined when it is no longer listed. */
    readonly asks: Asks | undefined;
    /** True when a CONNECTED session ends although nobody asked for that in this panel. */
    readonly dropped: boolean;
  };
  /** The list was fetched. */
  'wo-sessions': { readonly sessions: readonly Session[] };
  /** How many sessions need something: when the list was fetched for the first time, and when a number changes. */
  'wo-attention': {
    /** How many need a person. */
    readonly act: number;
    /** How many wait, and need nobody. */
    readonly wait: number;
    /** How many dropped, and are neither back nor acted on. The other numbers include these. */
    readonly dropped: number;
    readonly total: number;
  };
  /** Something failed. The panel shows it to the operator. */
  'wo-error': { readonly error: Error; readonly action: Action };
  /** The operator chose another view or order: a page that sets them as attributes later keeps that. */
  'wo-view-change': { readonly view: ShownView; readonly order: Order };
  /** The live connection to the server was made or lost, or the first attempt to make it failed. */
  'wo-connection-change': { readonly connected: boolean };
}

export type PanelEvent = {
  [Name in keyof PanelEventDetails]: { readonly name: Name; readonly detail: PanelEventDetails[Name] };
}[keyof PanelEventDetails];

export type PanelEventMap = {
  [Name in keyof PanelEventDetails]: CustomEvent<PanelEventDetails[Name]>;
};

type Listen = <Name extends keyof PanelEventMap>(
  type: Name,
  listener: (event: PanelEventMap[Name]) => void,
  options?: boolean | AddEventListenerOptions,
) => void;

export interface PanelEventTarget {
  addEventListener: Listen;
  removeEventListener: Listen;
}
