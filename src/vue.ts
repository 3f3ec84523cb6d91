/**
 * The main entry with the element's types for the templates of Vue 3. It is an entry of its own, so that other users do not
 * need Vue's types.
 */
import type { HTMLAttributes } from 'vue';
import type { WhatsappOperadoresElement } from './element.ts';
import type { PanelEventMap } from './events.ts';

export * from './index.ts';

type Name =
  | 'apiBase'
  | 'socketOrigin'
  | 'socketPath'
  | 'credentials'
  | 'token'
  | 'labels'
  | 'view'
  | 'order'
  | 'alerts'
  | 'confirmRestart'
  | 'connectionNotice'
  | 'provider'
  | 'notificationPosition';

/** The properties; to Vue, an attribute's name is that of its property. */
type Properties = { readonly [Key in Name]?: WhatsappOperadoresElement[Key] | null } & {
  /** An attribute without a colon is a text. */
  readonly notificationTimeout?: number | `${number}` | null;
};

type Camel<Text extends string> = Text extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Text;

/** Vue adds a listener by the event's name in camelCase after `on`. */
type Listeners = {
  readonly [Type in keyof PanelEventMap as `on${Capitalize<Camel<Type>>}`]?: (
    event: PanelEventMap[Type],
  ) => void;
};

/** What `<whatsapp-operadores>` takes in a template. */
export type WhatsappOperadoresProps = Properties & Listeners & HTMLAttributes;

declare module 'vue' {
  interface GlobalComponents {
    'whatsapp-operadores': new () => WhatsappOperadoresElement & { $props: WhatsappOperadoresProps };
  }
}
