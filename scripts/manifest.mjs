/** The custom elements manifest: the doc comments of the source, for editors and catalogues. */
import { readFile } from 'node:fs/promises';
import { create, ts } from '@custom-elements-manifest/analyzer';
import { tsImport } from 'tsx/esm/api';

/** The module that pages load, since the package contains no source. */
const MODULE = 'dist/index.js';

/** Creates the element's manifest, by the schema of custom-elements-manifest. */
export async function createManifest() {
  const source = await parse('src/element.ts');
  const { schemaVersion, modules } = create({ modules: [source] });
  const found = modules[0].declarations.find(({ customElement }) => customElement);
  const reflected = await reflectedFields();
  const declaration = {
    ...found,
    superclass: { name: 'HTMLElement' },
    attributes: reflected.map(asAttribute),
    members: [...reflected, ...found.members.filter(isForPages)],
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

/** Joins the lines of descriptions. */
function prose(manifest) {
  const joined = (text) => text.replace(/(\S)\n(?=\S)/g, '$1 ');
  return JSON.parse(JSON.stringify(manifest), (key, value) =>
    key === 'description' ? joined(value) : value,
  );
}

/** Returns the properties that reflect attributes: as the interfaces of the settings declare them, with the table's names. */
async function reflectedFields() {
  const { attributeName, attributes } = await tsImport('../src/settings.ts', import.meta.url);
  const source = await parse('src/settings.ts');
  return source.statements
    .filter(ts.isInterfaceDeclaration)
    .flatMap(({ members }) => members.filter(ts.isGetAccessor))
    .map((getter) => {
      const [{ comment }] = getter.jsDoc;
      const property = getter.name.text;
      const { words } = attributes[property];
      const type = getter.type.getText();
      const literals = words?.map((word) => `'${word}'`).join(' | ');
      return {
        kind: 'field',
        name: property,
        // Outside this project the name of a union says nothing.
        type: { text: literals ? type.replace(/^\w+/, literals) : type },
        description: comment,
        default: ts.getJSDocTags(getter).find(({ tagName }) => tagName.text === 'default').comment,
        reflects: true,
        attribute: attributeName(property),
      };
    });
}

function asAttribute({ attribute, type, description, default: value, name }) {
  return { name: attribute, type, description, default: value, fieldName: name };
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
