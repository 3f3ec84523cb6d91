/**
 * The main entry with the element's types for the JSX of React 19. It is an entry of its own, so that other users do not
 * need React's types.
 */
import type { DetailedHTMLProps, HTMLAttributes } from 'react';
import type { WhatsappOperadoresElement } from './element.ts';
import type { PanelEventMap } from './events.ts';
import type { Labels } from './labels.ts';
import type { Token } from './server/server.ts';
import type { Credentials, NoticePosition, Order, View } from './settings.ts';

export * from './index.ts';

/** The attributes by their own names, for pages that a server renders. */
interface Attributes {
  readonly 'api-base'?: string;
  readonly 'socket-origin'?: string;
  readonly 'socket-path'?: string;
  readonly credentials?: Credentials;
  readonly view?: View;
  readonly order?: Order;
  readonly alerts?: string;
  readonly provider?: string;
  readonly 'notification-timeout'?: number;
  readonly 'notification-position'?: NoticePosition;
  readonly 'confirm-restart'?: boolean;
  readonly 'connection-notice'?: boolean;
}

/** React sets the property where the element has one of that name. */
interface Properties {
  readonly apiBase?: string | null;
  readonly socketOrigin?: string | null;
  readonly socketPath?: string | null;
  readonly confirmRestart?: boolean | null;
  readonly connectionNotice?: boolean | null;
  readonly token?: Token | null;
  readonly labels?: Labels | null;
  readonly notificationTimeout?: number | null;
  readonly notificationPosition?: NoticePosition | null;
}

/** React adds a listener for the exact name after `on`. */
type Listeners = {
  readonly [Name in keyof PanelEventMap as `on${Name}`]?: (event: PanelEventMap[Name]) => void;
};

/** What `<whatsapp-operadores>` takes in JSX. */
export type WhatsappOperadoresProps = Attributes &
  Properties &
  Listeners &
  DetailedHTMLProps<HTMLAttributes<WhatsappOperadoresElement>, WhatsappOperadoresElement>;

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'whatsapp-operadores': WhatsappOperadoresProps;
    }
  }
}
