/**
 * The main entry, and the element's types for the JSX of React 19. An entry of its own: who does not use React's
 * types need not have them.
 */
import type { DetailedHTMLProps, HTMLAttributes } from 'react';
import type { WhatsappOperadoresElement } from './element.ts';
import type { PanelEventMap } from './events.ts';
import type { Token } from './server/server.ts';
import type { Credentials, NoticePosition } from './settings.ts';

export * from './index.ts';

/** The attributes by their own names: those to use where a server renders the page. */
interface Attributes {
  readonly 'api-base'?: string;
  readonly 'socket-origin'?: string;
  readonly credentials?: Credentials;
  readonly provider?: string;
  readonly 'notification-timeout'?: number;
  readonly 'notification-position'?: NoticePosition;
}

/** React sets a property where the element has one of that name. */
interface Properties {
  readonly apiBase?: string | null;
  readonly socketOrigin?: string | null;
  readonly token?: Token | null;
  readonly notificationTimeout?: number | null;
  readonly notificationPosition?: NoticePosition | null;
}

/** React listens to what comes after `on`, to the letter. */
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
