/** The main entry with the element's types for Svelte 5's templates: others do not need Svelte's types. */
import type { HTMLAttributes } from 'svelte/elements';
import type { WhatsappOperadoresElement } from './element.ts';
import type { Listeners, Properties } from './props.ts';
import type { AttributeNames, Settings } from './settings.ts';

export * from './index.ts';

/** The attributes by their own names, for what is not the name of a property. */
type Attributes = {
  readonly [Property in keyof Settings as AttributeNames[Property]]?: AsText<Settings[Property]> | null;
};

/** Svelte makes a text of the value: a number can be one already, and that of `false` would turn an attribute on. */
type AsText<Value> = Value extends false ? never : Value extends number ? Value | `${Value}` : Value;

/** What `<whatsapp-operadores>` takes in a template. */
export type WhatsappOperadoresProps = Attributes &
  Properties &
  Listeners &
  HTMLAttributes<WhatsappOperadoresElement>;

declare module 'svelte/elements' {
  interface SvelteHTMLElements {
    'whatsapp-operadores': WhatsappOperadoresProps;
  }
}
