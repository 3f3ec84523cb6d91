/**
 * How many pixels of the screen one pixel in an element's styles is: the page around it may have `zoom`. Browsers that do
 * not tell (Safari) measure in pixels of the styles.
 */
export const zoomOf = (element: Element): number => element.currentCSSZoom ?? 1;
