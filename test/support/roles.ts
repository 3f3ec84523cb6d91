/**
 * Elements as assistive technology knows them: by role and name. They are computed here, as ARIA has them, since
 * browsers do not tell a page what they compute.
 */
import { computeAccessibleName, getRole } from 'dom-accessibility-api';

/** A name to the letter, or a pattern. */
export type Name = string | RegExp;

/** The role, explicit or by the kind of element; empty where there is none. */
export function roleOf(element: Element): string {
  const role = getRole(element) ?? '';
  // ARIA 1.3 calls it by the word; the older name means the same.
  return role === 'img' ? 'image' : role;
}

/** What assistive technology calls the element. */
export function nameOf(element: Element): string {
  return computeAccessibleName(element);
}

/** All elements below a root with that role and name, in document order, less those that are hidden from it. */
export function allByRole(root: ParentNode, role: string, name: Name = /.*/s): HTMLElement[] {
  const matches =
    typeof name === 'string' ? (text: string) => text === name : (text: string) => name.test(text);
  // The role is the cheap question: with hundreds of cards only few elements may be asked for their style.
  return [...root.querySelectorAll<HTMLElement>('*')].filter(
    (element) => roleOf(element) === role && isExposed(element) && matches(nameOf(element)),
  );
}

/** The one element with that role and name. */
export function byRole(root: ParentNode, role: string, name?: Name): HTMLElement {
  const [element, ...more] = allByRole(root, role, name);
  const wanted = `${role}${name === undefined ? '' : ` ${name}`}`;
  if (!element) throw new Error(`there is no ${wanted}; there are: ${inventory(root)}`);
  if (more.length > 0) throw new Error(`there are ${more.length + 1} of ${wanted}`);
  return element;
}

/** Whether assistive technology gets at it. What waits below an open modal dialog does count. */
function isExposed(element: Element): boolean {
  return (
    element.checkVisibility({ visibilityProperty: true }) && !element.closest('[aria-hidden="true"], [inert]')
  );
}

function inventory(root: ParentNode): string {
  const named = [...root.querySelectorAll('*')].filter((element) => roleOf(element) && isExposed(element));
  // Enough to see what went wrong: the condition of a wait comes here every few milliseconds.
  return (
    named
      .slice(0, 40)
      .map((element) => `${roleOf(element)} "${nameOf(element)}"`)
      .join(', ') || 'none'
  );
}
