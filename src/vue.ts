/** The main entry with the element's types for Vue 3's templates: others do not need Vue's types. */
import type { HTMLAttributes } from 'vue';
import type { WhatsappOperadoresElement } from './element.ts';
import type { Attributes, Properties } from './props.ts';
import type { PanelEventMap } from './store/events.ts';

export * from './index.ts';

type Camel<Text extends string> = Text extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Text;

/** Vue adds a listener by the event's name in camelCase after `on`. */
type Listeners = {
  readonly [Type in keyof PanelEventMap as `on${Capitalize<Camel<Type>>}`]?: (
    event: PanelEventMap[Type],
  ) => void;
};

/**
 * What `<whatsapp-operadores>` takes in a template. Vue turns the names of attributes into camelCase: all but one are then those
 * of properties.
 */
export type WhatsappOperadoresProps = Properties & Pick<Attributes, 'readonly'> & Listeners & HTMLAttributes;

declare module 'vue' {
  interface GlobalComponents {
    'whatsapp-operadores': new () => WhatsappOperadoresElement & { $props: WhatsappOperadoresProps };
  }
}
