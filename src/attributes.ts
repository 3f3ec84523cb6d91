/** The attributes of an element, and the properties that reflect them. */
import { type Attribute, attributes, type Table } from './settings.ts';

const byName = new Map<string, Attribute<unknown>>(
  Object.values(attributes).map((attribute) => [attribute.name, attribute]),
);

export const attributeNames = [...byName.keys()];

/** Returns the value of each attribute in a table, by property. */
export function readAttributes<Values>(element: Element, table: Table<Values>): Values {
  const entries = Object.entries<Attribute<unknown>>(table);
  const values = entries.map(([property, attribute]) => [property, readAttribute(element, attribute)]);
  // `Object.fromEntries` loses which property has which type.
  return Object.fromEntries(values) as Values;
}

/** Defines on a class's prototype the properties that reflect the attributes: null removes the attribute. */
export function reflectAttributes(prototype: object): void {
  for (const [property, attribute] of Object.entries(attributes))
    Object.defineProperty(prototype, property, {
      configurable: true,
      get(this: Element) {
        return readAttribute<unknown>(this, attribute);
      },
      set(this: Element, value: unknown) {
        const text = value === null || value === undefined ? null : attribute.format(value);
        if (text === null) this.removeAttribute(attribute.name);
        else this.setAttribute(attribute.name, text);
      },
    });
}

/** Logs an attribute whose text is not used, or only in part. */
export function checkAttribute(element: Element, name: string): void {
  const attribute = byName.get(name);
  const text = element.getAttribute(name);
  if (!attribute || text === null) return;
  const isValid = attribute.parse(text.trim()) !== undefined;
  const remedy = isValid ? attribute.remedy?.(text) : 'the default is used';
  if (remedy) console.error(`whatsapp-operadores: ${name}="${text}" is not ${attribute.expected}; ${remedy}`);
}

function readAttribute<Value>(element: Element, { name, parse, fallback }: Attribute<Value>): Value {
  const text = element.getAttribute(name);
  return (text === null ? undefined : parse(text.trim())) ?? fallback();
}
