/** Pixels of the drawing that stands where a code would be (spec §9). Narrow cards shrink it. */
const SIZE = 400;

/**
 * A phone at rest: no code to scan and nothing under way. Decoration, since the state is told in words. An element and
 * no component: all cards share the one that there is.
 */
export const placeholderImage = (
  <svg className="placeholder" viewBox="0 0 400 400" width={SIZE} height={SIZE} aria-hidden="true">
    <use href="#placeholder" />
  </svg>
);
