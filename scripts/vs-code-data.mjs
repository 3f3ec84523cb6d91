/** VS Code's completions and descriptions for HTML and CSS, from the manifest. */

const VERSION = 1.1;

/** Returns custom data for HTML: the tag and its attributes. */
export function htmlData(manifest) {
  return {
    version: VERSION,
    tags: elements(manifest).map(({ tagName, description, attributes, events }) => ({
      name: tagName,
      description: markdown(`${description}\n\n${list('Events', events)}`),
      attributes: attributes.map((attribute) => ({
        name: attribute.name,
        description: markdown(`${attribute.description}\n\nDefault: \`${attribute.default}\``),
        values: choices(attribute.type.text),
      })),
    })),
  };
}

/** Returns custom data for CSS: custom properties, states as pseudo-classes, parts as pseudo-elements. */
export function cssData(manifest) {
  return {
    version: VERSION,
    properties: elements(manifest).flatMap(({ tagName, cssProperties }) =>
      cssProperties.map(({ name, description, syntax, default: value }) => ({
        name,
        description: markdown(`${description}\n\nOf \`<${tagName}>\`. Default: \`${value}\``),
        syntax,
      })),
    ),
    pseudoClasses: elements(manifest).flatMap(({ tagName, cssStates }) =>
      cssStates.map(({ name, description }) => ({
        name: `:state(${name})`,
        description: markdown(`${description}\n\nOf \`<${tagName}>\`.`),
      })),
    ),
    pseudoElements: elements(manifest).flatMap(({ tagName, cssParts }) =>
      cssParts.map(({ name, description }) => ({
        name: `::part(${name})`,
        description: markdown(`${description}\n\nOf \`<${tagName}>\`.`),
      })),
    ),
  };
}

const elements = ({ modules }) =>
  modules.flatMap(({ declarations }) => declarations.filter(({ customElement }) => customElement));

const markdown = (value) => ({ kind: 'markdown', value });

const list = (title, items) =>
  [`${title}:`, ...items.map(({ name, description }) => `- \`${name}\`: ${description}`)].join('\n');

/** Returns the string literals of a union. */
function choices(type) {
  return [...type.matchAll(/'([^']*)'/g)].map(([, name]) => ({ name }));
}
