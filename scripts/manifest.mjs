/** The custom elements manifest: the doc comments of the source, for editors and catalogues. */
import { readFile } from 'node:fs/promises';
import { create, ts } from '@custom-elements-manifest/analyzer';

/** The module that pages load, since the package contains no source. */
const MODULE = 'dist/index.js';

/** Creates the element's manifest, by the schema of custom-elements-manifest. */
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

/** Cleans up descriptions: joins their lines, and removes references to the spec, which is not published. */
function prose(manifest) {
  const tidy = (text) => text.replace(/ \(spec [^)]*\)/g, '').replace(/(\S)\n(?=\S)/g, '$1 ');
  return JSON.parse(JSON.stringify(manifest), (key, value) => (key === 'description' ? tidy(value) : value));
}

/** Excludes callbacks, which the browser calls, and static members. */
const isForPages = ({ name, privacy, static: ofClass }) =>
  privacy !== 'private' && !ofClass && !name.endsWith('Callback');

/** Keeps the events of the map: the analyzer takes the variable that the element dispatches by for an event. */
function withDetails(events, details) {
  return [...details].map(([name, detail]) => {
    const event = events.find((event) => event.name === name);
    if (!event) throw new Error(`src/element.ts has no @fires ${name}`);
    return { ...event, type: { text: `CustomEvent<${detail}>` } };
  });
}

/** Returns the types of the events' details, from `PanelEventDetails`. */
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

/** Returns the defaults of the custom properties: the second argument of each `var(--wo-…, …)`. */
async function defaultsInSheet() {
  const sheet = await readFile('src/ui/tokens.css', 'utf8');
  return new Map(
    [...sheet.matchAll(/var\((--wo-[\w-]+),\s*(.+)\);/g)].map(([, name, value]) => [name, value]),
  );
}

async function parse(path) {
  return ts.createSourceFile(path, await readFile(path, 'utf8'), ts.ScriptTarget.ES2022, true);
}
