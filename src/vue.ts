/** The main entry with the element's types for Vue 3's templates: others do not need Vue's types. */
import type { HTMLAttributes } from 'vue';
import type { WhatsappOperadoresElement } from './element.ts';
import type { PlainProperties } from './props.ts';
import type { AttributeNames, Settings } from './settings.ts';
import type { PanelEventMap } from './store/events.ts';

export * from './index.ts';

/** The properties, and the attributes, whose names Vue turns into camelCase. */
type Properties = PlainProperties & {
  readonly [Name in keyof Settings as Name | Camel<AttributeNames[Name]>]?:
    | Settings[Name]
    | InText<Settings[Name]>
    | null;
};

/** An attribute without a colon is a text: a number can be written in it. */
type InText<Value> = Value extends number ? `${Value}` : never;

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
