import type { Labels } from './labels.ts';
import type { Token } from './server/server.ts';
import type { Settings } from './settings.ts';
import type { PanelEventMap } from './store/events.ts';
import type { Texts } from './texts/translate.ts';

/** Those without an attribute. */
export interface PlainProperties {
  readonly token?: Token | null;
  readonly labels?: Labels | null;
  readonly texts?: Texts | null;
}

/** The element's properties, each of which can be left out; null resets it. */
export type Properties = PlainProperties & {
  readonly [Property in keyof Settings]?: Settings[Property] | null;
};

/** React and Svelte add a listener for the exact name after `on`. */
export type Listeners = {
  readonly [Name in keyof PanelEventMap as `on${Name}`]?: (event: PanelEventMap[Name]) => void;
};
