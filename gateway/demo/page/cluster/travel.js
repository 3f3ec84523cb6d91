const calm = matchMedia('(prefers-reduced-motion: reduce)');

const TIMING = { duration: 520, easing: 'cubic-bezier(0.3, 0.9, 0.3, 1)' };

/**
 * Lets elements travel from where they are to where `change` puts them. Without motion, they are there at once.
 *
 * @param {HTMLElement[]} elements
 * @param {() => void} change
 */
export function travel(elements, change) {
  if (calm.matches || document.hidden) return change();
  const before = new Map(elements.map((element) => [element, element.getBoundingClientRect()]));
  const parents = new Map(elements.map((element) => [element, element.parentNode]));
  change();
  for (const [element, from] of before) {
    if (!element.isConnected) continue;
    const to = element.getBoundingClientRect();
    const [x, y] = [from.x - to.x, from.y - to.y];
    if (x === 0 && y === 0) continue;
    const hasMoved = parents.get(element) !== element.parentNode;
    element.animate(
      [
        { transform: `translate(${x}px, ${y}px)`, zIndex: hasMoved ? 2 : 1 },
        { transform: 'none', zIndex: hasMoved ? 2 : 1 },
      ],
      TIMING,
    );
  }
}
