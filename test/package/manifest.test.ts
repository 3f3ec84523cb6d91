import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, describe, it } from 'node:test';
import { attributeName, attributes } from '../../src/settings.ts';

interface Named {
  readonly name: string;
  readonly description?: string;
  readonly type?: { readonly text: string };
  readonly default?: string;
}

interface Declaration {
  readonly tagName: string;
  readonly attributes: (Named & { readonly fieldName: string })[];
  readonly members: (Named & { readonly kind: 'field' | 'method' })[];
  readonly events: Named[];
  readonly cssProperties: Named[];
  readonly cssParts: Named[];
  readonly cssStates: Named[];
}

const packageJson: { customElements: string } = readJson('package.json');
const manifest: { modules: { path: string; declarations: Declaration[] }[] } = readJson(
  packageJson.customElements,
);
const sheet = readFileSync('src/ui/tokens.css', 'utf8');

/** The module as Node has it: its class without an element to be one of. */
type Panel = typeof import('../../src/index.ts');

describe('custom-elements.json', () => {
  const [module] = manifest.modules;
  const element = module?.declarations[0];
  assert.ok(element);
  let WhatsappOperadoresElement: Panel['WhatsappOperadoresElement'];
  let TAG: Panel['TAG'];

  before(async () => {
    const panel: Panel = await import(new URL('../../dist/index.js', import.meta.url).href);
    ({ WhatsappOperadoresElement, TAG } = panel);
  });

  it('describes the element of the module that a page loads', () => {
    assert.equal(module.path, 'dist/index.js');
    assert.equal(element.tagName, TAG);
  });

  it('has every attribute that is observed, and no other', () => {
    // Every element may have those of ARIA.
    const own = WhatsappOperadoresElement.observedAttributes.filter((name) => !name.startsWith('aria-'));
    assert.deepEqual(names(element.attributes), own.toSorted());
  });

  it('has the defaults that hold, of attributes and of their properties', () => {
    for (const [property, { fallback }] of Object.entries(attributes)) {
      const name = attributeName(property);
      // Node has no location to read it from.
      const value = property === 'socketOrigin' ? undefined : String(JSON.stringify(fallback()));
      const literal = value?.replaceAll('"', "'") ?? 'location.origin';
      assert.equal(element.attributes.find((one) => one.name === name)?.default, literal, name);
      assert.equal(element.members.find((one) => one.name === property)?.default, literal, property);
    }
  });

  it('has the type of each', () => {
    for (const { name, type } of [...element.attributes, ...element.members])
      assert.ok(type ?? name === 'refresh', name);
    const position = element.attributes.find(({ name }) => name === 'notification-position');
    assert.equal(
      position?.type?.text,
      "'top-left' | 'top-center' | 'top-right' | 'bottom-left' | 'bottom-center' | 'bottom-right'",
    );
    const order = element.attributes.find(({ name }) => name === 'order');
    assert.equal(order?.type?.text, "'attention' | 'server' | undefined");
  });

  it('has every property and method that the class has for pages, and no other', () => {
    const ofBrowser = /^constructor$|Callback$/;
    const { prototype } = WhatsappOperadoresElement;
    const ofClass = [prototype, Object.getPrototypeOf(prototype)]
      .flatMap(Object.getOwnPropertyNames)
      .filter((name) => !ofBrowser.test(name));
    assert.deepEqual(names(element.members), ofClass.toSorted());
    assert.deepEqual(
      names(element.attributes.map(({ fieldName }) => ({ name: fieldName }))),
      names(
        element.members.filter(({ kind, name }) => kind === 'field' && !/^(token|labels|texts)$/.test(name)),
      ),
    );
  });

  it('has the events with the types of their details', () => {
    const types = element.events.map(({ name, type }) => [name, type?.text]);
    assert.deepEqual(Object.fromEntries(types), {
      'wo-session-change':
        'CustomEvent<{ numero: string; state: string | undefined; previousState: string | undefined; asks: Asks | undefined; dropped: boolean }>',
      'wo-sessions': 'CustomEvent<{ sessions: readonly Session[] }>',
      'wo-attention': 'CustomEvent<{ act: number; wait: number; dropped: number; total: number }>',
      'wo-error': 'CustomEvent<{ error: Error; action: Action }>',
      'wo-view-change': 'CustomEvent<{ view: ShownView; order: Order }>',
      'wo-connection-change': 'CustomEvent<{ connected: boolean }>',
    });
  });

  it('has every token that the style sheet reads, and no other, each with its default', () => {
    const read = [...sheet.matchAll(/--wo-[\w-]+/g)].map(([name]) => ({ name }));
    assert.deepEqual(names(element.cssProperties), names(read));
    for (const { name, default: value } of element.cssProperties) {
      assert.ok(value && sheet.includes(`var(${name}, ${value})`), name);
    }
  });

  it('says something about each', () => {
    const { attributes, members, events, cssProperties, cssParts, cssStates } = element;
    for (const item of [attributes, members, events, cssProperties, cssParts, cssStates].flat()) {
      assert.ok(item.description, item.name);
    }
  });

  it('is what VS Code is told', () => {
    const html: { tags: { name: string; attributes: (Named & { values: Named[] })[] }[] } = readJson(
      'dist/vscode.html-custom-data.json',
    );
    const order = html.tags[0]?.attributes.find(({ name }) => name === 'order');
    assert.deepEqual(names(order?.values ?? []), ['attention', 'server']);
    assert.deepEqual(
      html.tags.map(({ name, attributes }) => [name, names(attributes)]),
      [[TAG, names(element.attributes)]],
    );
    const css: Record<'properties' | 'pseudoClasses' | 'pseudoElements', Named[]> = readJson(
      'dist/vscode.css-custom-data.json',
    );
    assert.deepEqual(names(css.properties), names(element.cssProperties));
    assert.equal(css.pseudoClasses.length, element.cssStates.length);
    assert.equal(css.pseudoElements.length, element.cssParts.length);
  });
});

/** Sorted, each once. */
function names(items: readonly { readonly name: string }[]): string[] {
  return [...new Set(items.map(({ name }) => name))].sort();
}

/** A file of the build, whose shape is the test's to say. */
function readJson<T>(path: string): T {
  return JSON.parse(readFileSync(path, 'utf8'));
}
