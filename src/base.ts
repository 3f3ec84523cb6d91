import r2wc from '@r2wc/react-to-web-component';
import { reflectAttributes } from './attributes.ts';
import type { PanelEventTarget } from './events.ts';
import { Panel, type PanelProps } from './panel.tsx';
import type { Settings } from './settings.ts';

/**
 * What r2wc makes, as its users may see it, with the properties that reflect the attributes. The prop of {@link Panel} is
 * left out: with it, the types of React would be needed by everybody who compiles against ours.
 */
export type Base = new () => PanelEventTarget &
  Settings &
  HTMLElement & {
    connectedCallback(): void;
    disconnectedCallback(): void;
  };

const made =
  typeof HTMLElement === 'undefined'
    ? // Without elements, as in Node, an empty class lets the module be imported.
      class {}
    : // Without a type, no attribute sets the prop: the element reads its attributes itself.
      r2wc<{ panel?: PanelProps }>(Panel, { shadow: 'open', props: { panel: undefined } });
reflectAttributes(made.prototype);

/** The compiler knows neither the empty class for an element nor the properties that were defined at run time. */
export const Base = made as unknown as Base;
