const SVG = 'http://www.w3.org/2000/svg';

/** An HTML element with attributes; `text` is what it says. Texts stay texts: nothing here reads HTML. */
export function html(tag, { text, ...attributes } = {}, ...children) {
  const node = document.createElement(tag);
  setAttributes(node, attributes);
  if (text !== undefined) node.textContent = text;
  node.append(...children);
  return node;
}

/** A drawing. Decoration: whatever it tells is told in words beside it. */
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
