import r2wc from '@r2wc/react-to-web-component';
import type { PanelEventTarget } from './events.ts';
import { Panel, type PanelProps } from './panel.tsx';

/**
 * What r2wc makes, as its users may see it. The prop of {@link Panel} is left out: with it, the types of React
 * would be needed by everybody who compiles against ours.
 */
export type Base = new () => PanelEventTarget &
  HTMLElement & {
    connectedCallback(): void;
    disconnectedCallback(): void;
  };

/** An empty class where there are no elements, so that Node can import the module. */
export const Base: Base =
  typeof HTMLElement === 'undefined'
    ? (class {} as unknown as Base)
    : // Without a type, no attribute sets the prop: the element reads its attributes itself.
      (r2wc<{ panel?: PanelProps }>(Panel, { shadow: 'open', props: { panel: undefined } }) as Base);
