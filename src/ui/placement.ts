import { createContext, useContext } from 'react';

/** How often the panel has been put into a page. */
export const PlacementContext = createContext(0);

/**
 * A number that changes when the panel is moved in the page. The move removes dialogs and popovers from the browser's
 * top layer: they have to be shown again.
 */
export function usePlacement(): number {
  return useContext(PlacementContext);
}
