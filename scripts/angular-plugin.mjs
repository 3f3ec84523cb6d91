import { createManifest } from './manifest.mjs';

const CLASS = 'WhatsappOperadoresDirective';

/**
 * Rollup plugin: emits the entry for Angular, a directive in the format of libraries (Angular's partial compilation), which
 * the applications' builds link. Templates know a custom element only by a directive, whose inputs and outputs have to be
 * literals: so they are written from the manifest.
 */
export const angular = {
  name: 'angular',
  async generateBundle() {
    const { modules } = await createManifest();
    const [{ tagName, members, events }] = modules[0].declarations;
    const properties = members.filter(({ kind }) => kind === 'field');
    const attributes = properties.filter(({ attribute, name }) => attribute && attribute !== name);
    const parts = { tagName, properties, attributes, events };
    this.emitFile({ type: 'asset', fileName: 'angular.js', source: code(parts) });
    this.emitFile({ type: 'asset', fileName: 'types/angular.d.ts', source: types(parts) });
  },
};

/**
 * The inputs go to the element, which Angular would set itself if no directive had inputs of these names. Events reach the
 * templates from the element, so outputs exist in the types only.
 */
const code = ({ tagName, properties, attributes }) => `import * as i0 from '@angular/core';
export * from './index.js';

export class ${CLASS} {
  #element = i0.inject(i0.ElementRef).nativeElement;
${lines(properties, ({ name }) => `  set ${name}(value) { this.#element.${name} = value; }`)}
${lines(attributes, ({ attribute, name, type }) => {
  const value = type.text === 'boolean' ? "value === '' || value" : 'value';
  return `  set '${attribute}'(value) { this.#element.${name} = ${value}; }`;
})}
  static ɵfac = i0.ɵɵngDeclareFactory({
    minVersion: '12.0.0', version: '21.0.0', ngImport: i0, type: ${CLASS}, deps: [],
    target: i0.ɵɵFactoryTarget.Directive,
  });
  static ɵdir = i0.ɵɵngDeclareDirective({
    minVersion: '14.0.0', version: '21.0.0', ngImport: i0, type: ${CLASS}, isStandalone: true,
    selector: '${tagName}',
    inputs: {
${lines(inputNames(properties, attributes), (name) => `      '${name}': '${name}',`)}
    },
  });
}
`;

const types = ({ tagName, properties, attributes, events }) => `import type * as i0 from '@angular/core';
import type { PanelEventMap } from './events.js';
import type { Properties } from './props.js';
export * from './index.js';
/** A value as an attribute has it. */
type Written<Value> = Value extends boolean ? Value | '' : Value extends number ? Value | \`\${Value}\` : Value;
/** What \`<${tagName}>\` takes in a template, for the \`imports\` of its component. */
export declare class ${CLASS} {
${lines(properties, ({ name }) => `    ${name}: Properties['${name}'];`)}
${lines(attributes, ({ attribute, name }) => `    '${attribute}': Written<Properties['${name}']>;`)}
${lines(events, ({ name }) => `    '${name}': i0.OutputRef<PanelEventMap['${name}']>;`)}
    static ɵfac: i0.ɵɵFactoryDeclaration<${CLASS}, never>;
    static ɵdir: i0.ɵɵDirectiveDeclaration<${CLASS}, '${tagName}', never, {
${lines(
  inputNames(properties, attributes),
  (name) => `        '${name}': { alias: '${name}'; required: false };`,
)}
    }, {
${lines(events, ({ name }) => `        '${name}': '${name}';`)}
    }, never, never, true, never>;
}
`;

const inputNames = (properties, attributes) => [
  ...properties.map(({ name }) => name),
  ...attributes.map(({ attribute }) => attribute),
];

const lines = (items, line) => items.map(line).join('\n');
