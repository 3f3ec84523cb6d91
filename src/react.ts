/** The main entry with the element's types for React 19's JSX: others do not need React's types. */
import type { DetailedHTMLProps, HTMLAttributes } from 'react';
import type { WhatsappOperadoresElement } from './element.ts';
import type { Listeners, Properties } from './props.ts';
import type { AttributeNames, Settings } from './settings.ts';

export * from './index.ts';

/** The attributes by their own names, for pages that a server renders. */
type Attributes = {
  readonly [Property in keyof Settings as AttributeNames[Property]]?: Settings[Property] | null;
};

/** What `<whatsapp-operadores>` takes in JSX. React sets the property where the element has one of that name. */
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
