import type { ComponentProps } from 'react';
import { focusFallback } from './focus.ts';

/** A button that does not lose the focus to the page when it goes. Its title, where it has one, is its name. */
export function Button(props: ComponentProps<'button'>) {
  return <button ref={focusFallback} type="button" aria-label={props.title} {...props} />;
}
