const SVG = 'http://www.w3.org/2000/svg';

/** Creates an HTML element with attributes; `text` is its text content, never parsed as HTML. */
export function html(tag, { text, ...attributes } = {}, ...children) {
  const node = document.createElement(tag);
  setAttributes(node, attributes);
  if (text !== undefined) node.textContent = text;
  node.append(...children);
  return node;
}

/** Creates a decorative drawing: everything that it shows is also said in words beside it. */
export function svg(viewBox, className, ...paths) {
  const node = document.createElementNS(SVG, 'svg');
  setAttributes(node, { viewBox, class: className, 'aria-hidden': 'true' });
  for (const attributes of paths) {
    const path = document.createElementNS(SVG, 'path');
    setAttributes(path, attributes);
    node.append(path);
  }
  return node;
}

function setAttributes(node, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) node.setAttribute(name, '');
    else if (value !== false) node.setAttribute(name, value);
  }
}
