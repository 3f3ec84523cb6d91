/** The main entry with the element's types for React 19's JSX: others do not need React's types. */
import type { DetailedHTMLProps, HTMLAttributes } from 'react';
import type { WhatsappOperadoresElement } from './element.ts';
import type { Attributes, Listeners, Properties } from './props.ts';

export * from './index.ts';

/**
 * What `<whatsapp-operadores>` takes in JSX. React sets the property where the element has one of that name; the attributes are
 * for pages that a server renders.
 */
export type WhatsappOperadoresProps = Attributes &
  Properties &
  Listeners &
  DetailedHTMLProps<HTMLAttributes<WhatsappOperadoresElement>, WhatsappOperadoresElement>;

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'whatsapp-operadores': WhatsappOperadoresProps;
    }
  }
}
