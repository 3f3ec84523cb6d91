import r2wc from '@r2wc/react-to-web-component';
import type { PanelEventTarget } from './events.ts';
import { Panel, type PanelView } from './panel.tsx';

/**
 * What r2wc makes, as its users may see it. The prop of {@link Panel} is left out: with it, the types of React
 * would be needed by everybody who compiles against ours.
 */
export type Base = new () => PanelEventTarget &
  HTMLElement & {
    connectedCallback(): void;
    disconnectedCallback(): void;
  };

/** Where there are no elements, as in Node, the module can be imported all the same. */
export const Base: Base =
  typeof HTMLElement === 'undefined'
    ? (class {} as unknown as Base)
    : // A prop without a type is one that no attribute feeds: attributes are read here, with their defaults.
      (r2wc<{ view?: PanelView }>(Panel, { shadow: 'open', props: { view: undefined } }) as Base);
