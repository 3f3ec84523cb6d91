/** The property `texts`: what the host page has the panel say instead of its own sentences. */
import type * as texts from './sentences.ts';

type Strings<Value> = Value extends string
  ? Value
  : Value extends object
    ? Strings<Value[keyof Value]>
    : never;

/** A sentence of the panel, which is its own key. `{0}` stands for its first value, and `{1}` for the second. */
export type Sentence = Strings<(typeof texts)[keyof typeof texts]>;

/** Those that are left out stay as they are. The key `es` has the language, as a BCP 47 tag. */
export type Texts = { readonly [Key in Sentence]?: string };

/** Returns a sentence with its values. Of two it is the first where the first value is 1, and otherwise the second. */
export type Translate = (
  sentence: Sentence | readonly [one: Sentence, many: Sentence],
  ...values: (string | number)[]
) => string;

/**
 * Creates the function for the texts of a page. Values that are no strings are left out.
 * @throws {RangeError} where the language is no BCP 47 tag; and where the page's code throws when the object is read.
 */
export function createTranslate(texts?: Texts): Translate {
  const given: Texts = { ...texts };
  Intl.getCanonicalLocales(given.es);
  return (sentence, ...values) => {
    const key = typeof sentence === 'string' ? sentence : sentence[values[0] === 1 ? 0 : 1];
    const text: unknown = given[key];
    return (typeof text === 'string' ? text : key).replace(/\{(\d)\}/g, (_, index) => `${values[index]}`);
  };
}

/** A sentence without its full stop, to be continued. */
export const clause = (sentence: string): string => sentence.replace(/\.$/, '');

/** Makes something once for each language, when it is first used: each takes a millisecond, and the first card needs none. */
export function byLanguage<Made>(make: (language: string) => Made): (t: Translate) => Made {
  const all = new Map<string, Made>();
  return (t) => {
    const language = t('es');
    const made = all.get(language) ?? make(language);
    all.set(language, made);
    return made;
  };
}
