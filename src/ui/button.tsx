import type { ComponentProps } from 'react';
import { focusFallback } from './focus.ts';

/** A button that keeps the focus in the panel when it is removed. A title is its accessible name, too. */
export function Button(props: ComponentProps<'button'>) {
  return <button ref={focusFallback} type="button" part="button" aria-label={props.title} {...props} />;
}
