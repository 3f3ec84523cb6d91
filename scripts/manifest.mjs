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
    events: await declaredEvents(),
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
      const { values, fallback } = attributes[property];
      const type = getter.type.getText();
      const literals = values?.map((value) => `'${value}'`).join(' | ');
      return {
        kind: 'field',
        name: property,
        // Outside this project the name of a union says nothing.
        type: { text: literals ? type.replace(/^\w+/, literals) : type },
        description: comment,
        default: fallbackOf(property, fallback),
        reflects: true,
        attribute: attributeName(property),
      };
    });
}

/** Node has no location to read the page's origin from. */
const fallbackOf = (property, fallback) =>
  property === 'socketOrigin' ? 'location.origin' : `${JSON.stringify(fallback())}`.replaceAll('"', "'");

function asAttribute({ attribute, type, description, default: value, name }) {
  return { name: attribute, type, description, default: value, fieldName: name };
}

/** Excludes callbacks, which the browser calls, and static members. */
const isForPages = ({ name, privacy, static: ofClass }) =>
  privacy !== 'private' && !ofClass && !name.endsWith('Callback');

/** Returns the events, as `PanelEventDetails` declares them. */
async function declaredEvents() {
  const source = await parse('src/store/events.ts');
  const map = source.statements.find(
    (node) => ts.isInterfaceDeclaration(node) && node.name.text === 'PanelEventDetails',
  );
  return map.members.map(({ name, type, jsDoc }) => ({
    name: name.text,
    description: jsDoc[0].comment,
    type: { text: `CustomEvent<${onOneLine(type)}>` },
  }));
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
