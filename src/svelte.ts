/** The main entry with the element's types for Svelte 5's templates: others do not need Svelte's types. */
import type { HTMLAttributes } from 'svelte/elements';
import type { WhatsappOperadoresElement } from './element.ts';
import type { Attributes, Listeners, Properties } from './props.ts';

export * from './index.ts';

/** Svelte makes a text of an attribute's value: that of `false` would turn it on. */
type WithoutFalse<Values> = { readonly [Name in keyof Values]: Exclude<Values[Name], false> };

/** What `<whatsapp-operadores>` takes in a template. */
export type WhatsappOperadoresProps = WithoutFalse<Attributes> &
  Properties &
  Listeners &
  HTMLAttributes<WhatsappOperadoresElement>;

declare module 'svelte/elements' {
  interface SvelteHTMLElements {
    'whatsapp-operadores': WhatsappOperadoresProps;
  }
}
