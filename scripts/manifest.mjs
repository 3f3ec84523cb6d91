/** The custom elements manifest: what the doc comments of the source say, for editors and catalogues. */
import { readFile } from 'node:fs/promises';
import { create, ts } from '@custom-elements-manifest/analyzer';

/** What a page loads, since the package holds no source. */
const MODULE = 'dist/index.js';

/** The manifest of the element, by the schema of custom-elements-manifest. */
export async function createManifest() {
  const source = await parse('src/element.ts');
  const { schemaVersion, modules } = create({ modules: [source] });
  const found = modules[0].declarations.find(({ customElement }) => customElement);
  const declaration = {
    ...found,
    superclass: { name: 'HTMLElement' },
    members: found.members.filter(isForPages),
    events: withDetails(found.events, await eventDetails()),
    cssProperties: withDefaults(found.cssProperties, await defaultsInSheet()),
  };
  const reference = { name: declaration.name, module: MODULE };
  return prose({
    schemaVersion,
    readme: 'README.md',
    modules: [
      {
        kind: 'javascript-module',
        path: MODULE,
        declarations: [declaration],
        exports: [
          { kind: 'js', name: declaration.name, declaration: reference },
          { kind: 'custom-element-definition', name: declaration.tagName, declaration: reference },
        ],
      },
    ],
  });
}

/** The descriptions as a reader likes them: lines are broken where the screen ends, and nobody has our spec. */
function prose(manifest) {
  const tidy = (text) => text.replace(/ \(spec [^)]*\)/g, '').replace(/(\S)\n(?=\S)/g, '$1 ');
  return JSON.parse(JSON.stringify(manifest), (key, value) => (key === 'description' ? tidy(value) : value));
}

/** Callbacks are the browser's to call, and what is static is of the class. */
const isForPages = ({ name, privacy, static: ofClass }) =>
  privacy !== 'private' && !ofClass && !name.endsWith('Callback');

/** The element dispatches by a variable, which the analyzer takes for an event: only those of the map are some. */
function withDetails(events, details) {
  return [...details].map(([name, detail]) => {
    const event = events.find((event) => event.name === name);
    if (!event) throw new Error(`src/element.ts has no @fires ${name}`);
    return { ...event, type: { text: `CustomEvent<${detail}>` } };
  });
}

/** The types of the events' details, as `PanelEventDetails` has them. */
async function eventDetails() {
  const source = await parse('src/events.ts');
  const map = source.statements.find(
    (node) => ts.isInterfaceDeclaration(node) && node.name.text === 'PanelEventDetails',
  );
  return new Map(map.members.map(({ name, type }) => [name.text, onOneLine(type)]));
}

function onOneLine(type) {
  const fields = type.members.map((field) => `${field.name.text}: ${field.type.getText()}`);
  return `{ ${fields.join('; ')} }`;
}

function withDefaults(properties, defaults) {
  return properties.map(({ name, description, type }) => ({
    name,
    description,
    syntax: type.text,
    default: defaults.get(name),
  }));
}

/** What holds where the page sets nothing: the second argument of each `var(--wo-…, …)`. */
async function defaultsInSheet() {
  const sheet = await readFile('src/ui/tokens.css', 'utf8');
  return new Map(
    [...sheet.matchAll(/var\((--wo-[\w-]+),\s*(.+)\);/g)].map(([, name, value]) => [name, value]),
  );
}

async function parse(path) {
  return ts.createSourceFile(path, await readFile(path, 'utf8'), ts.ScriptTarget.ES2022, true);
}
