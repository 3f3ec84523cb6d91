import { Assertion, use } from 'chai';

/**
 * Describes elements in failures of `expect(element).to.equal(other)`. The runner would serialize them, and with them
 * React's whole tree of fibers: the file would hang instead of failing.
 */
use(() => {
  Assertion.overwriteMethod(
    'equal',
    (original) =>
      function (this: Chai.AssertionStatic, expected: unknown, ...rest: unknown[]) {
        const actual: unknown = this._obj;
        if (!(actual instanceof Node || expected instanceof Node))
          return original.call(this, expected, ...rest);
        this.assert(
          actual === expected,
          'expected #{act} to be #{exp}',
          'expected another node than #{act}',
          describe(expected),
          describe(actual),
        );
      },
  );
});

function describe(value: unknown): string {
  return value instanceof Element
    ? `<${value.localName}> "${value.textContent.trim().slice(0, 60)}"`
    : String(value);
}
