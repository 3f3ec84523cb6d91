/** A copy of what a template of the page holds, which is one element. */
export function cloneOf(id: string): HTMLElement {
  const template = document.querySelector<HTMLTemplateElement>(`template#${id}`);
  const copy = template?.content.firstElementChild?.cloneNode(true);
  // An <svg> is none, but it is only ever put in place as a whole.
  if (!copy) throw new Error(`There is no template ${id}`);
  return copy as HTMLElement;
}

export function part(element: ParentNode, selector: string): HTMLElement {
  const found = element.querySelector<HTMLElement>(selector);
  if (!found) throw new Error(`There is no ${selector}`);
  return found;
}
