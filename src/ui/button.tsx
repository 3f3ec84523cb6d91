import type { ComponentProps } from 'react';

/** A title is its accessible name, too. */
export function Button(props: ComponentProps<'button'>) {
  return <button type="button" part="button" aria-label={props.title} {...props} />;
}
