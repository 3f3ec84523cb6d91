/** What the templates of frameworks take beside the attributes of any element. */
import type { WhatsappOperadoresElement } from './element.ts';
import type { Settings } from './settings.ts';
import type { PanelEventMap } from './store/events.ts';

/** A number can be written as a text; null stands for the default. */
type Given<Value> = (Value extends number ? Value | `${Value}` : Value) | null;

/** The element's properties. */
export type Properties = {
  readonly [Name in keyof Settings | 'token' | 'labels' | 'texts']?: Given<WhatsappOperadoresElement[Name]>;
};

/** The name of a property's attribute: that of `readOnly` is one word, as in HTML. */
type AttributeName<Property extends string> = Property extends 'readOnly'
  ? 'readonly'
  : Property extends `${infer First}${infer Rest}`
    ? `${First extends Lowercase<First> ? '' : '-'}${Lowercase<First>}${AttributeName<Rest>}`
    : '';

/** The attributes by their own names. */
export type Attributes = {
  readonly [Property in keyof Settings as AttributeName<Property>]?: Given<Settings[Property]>;
};

/** React and Svelte add a listener for the exact name after `on`. */
export type Listeners = {
  readonly [Name in keyof PanelEventMap as `on${Name}`]?: (event: PanelEventMap[Name]) => void;
};
