/** The property `labels`: the names that the host page gives the sessions. */
import { readField, readText } from './server/fields.ts';
import type { Names, Naming } from './session/session.ts';

/** By numero. An empty text is no name; where a name is absent, the server's is shown. Names are cut at 60 characters. */
export type Labels = Readonly<Record<string, Naming>>;

/**
 * Reads the property; undefined where there is none.
 * @throws where it is no object that has names by numero, and where the page's code throws when it is read
 */
export function parseLabels(labels: unknown): Names | undefined {
  if (labels === undefined) return undefined;
  // A Map, a list or a promise has no names by numero.
  const kind = Object.prototype.toString.call(labels);
  if (kind !== '[object Object]') throw new TypeError(`no names by numero: ${kind}`);
  const names = new Map<string, Naming>();
  for (const numero of Object.keys(Object(labels))) {
    const naming = readField(labels, numero);
    names.set(numero, { label: readText(naming, 'label'), group: readText(naming, 'group') });
  }
  return names;
}
