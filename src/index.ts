import { define } from './define.ts';

export { TAG } from './define.ts';
export { version, WhatsappOperadoresElement } from './element.ts';
export type { Action, PanelEventDetails, PanelEventMap } from './events.ts';
export type { Labels } from './labels.ts';
export type { Token } from './server/server.ts';
export type { Session } from './session/session.ts';
export type { Asks } from './session/states.ts';
export type { Credentials, NoticePosition, Order, ShownView, View } from './settings.ts';

import type { WhatsappOperadoresElement } from './element.ts';
import type { PanelEventMap } from './events.ts';

declare global {
  interface HTMLElementTagNameMap {
    'whatsapp-operadores': WhatsappOperadoresElement;
  }
  interface DocumentEventMap extends PanelEventMap {}
}

define();
