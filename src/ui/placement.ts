import { createContext, useContext } from 'react';

/** How often the panel has been put into a page. */
export const PlacementContext = createContext(0);

/**
 * A number that changes when the panel is moved in the page. The move takes dialogs and popovers out of the
 * browser's top layer and leaves the rest as it was: who put one there does it again.
 */
export function usePlacement(): number {
  return useContext(PlacementContext);
}
