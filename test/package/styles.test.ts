import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';

const read = (path: string) => readFileSync(path, 'utf8').replace(/\/\*.*?\*\//gs, '');
const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).map((path) => `src/${path}`);
const sheets = files
  .filter((path) => path.endsWith('.css'))
  .map((path) => ({ path, css: read(path).trim() }));
const scripts = files
  .filter((path) => /\.tsx?$/.test(path))
  .map(read)
  .join();
const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
const all = sheets.map(({ css }) => css).join();

describe('the style sheets', () => {
  it('are each in one layer of the cascade, one layer after the other, so that their order in a layer does not matter', () => {
    const [, list = ''] = read('src/style-sheet.ts').match(/const styles = \[([^\]]*)\]/) ?? [];
    const layers = Array.from(list.matchAll(/\w+/g), ([name]) => {
      const path = sheets.find((sheet) => sheet.path.endsWith(`/${kebab(name)}.css`));
      return path?.css.match(/^@layer (\w+) \{\n(?:(?: .*)?\n)*\}$/)?.[1];
    });
    assert.equal(layers.length, sheets.length);
    assert.deepEqual(
      layers.filter((layer, place) => layer !== layers[place - 1]),
      ['tokens', 'elements', 'card', 'rows', 'bar', 'dialog', 'single', 'notices', 'print'],
    );
  });

  it('use no private name that nothing sets', () => {
    const set = new Set(Array.from(`${all}${scripts}`.matchAll(/(--_[\w-]+)(?::|')/g), ([, name]) => name));
    const used = Array.from(all.matchAll(/var\((--_[\w-]+)/g), ([, name]) => name);
    assert.notEqual(used.length, 0);
    assert.deepEqual(
      used.filter((name) => !set.has(name)),
      [],
    );
  });

  it('read the custom properties of the page in the tokens only', () => {
    const readers = sheets.filter(({ css }) => css.includes('--wo-')).map(({ path }) => path);
    assert.deepEqual(readers, ['src/ui/tokens.css']);
  });

  it('set text in the sizes of the tokens, which follow the font size of the page', () => {
    const sizes = Array.from(all.matchAll(/font-size: ([^;]+);/g), ([, size]) => size);
    // None is that of a label that the eye does not need.
    assert.deepEqual(
      sizes.filter((size) => size !== '0' && !size?.startsWith('var(--_text-')),
      [],
    );
  });

  it('have one scale of space', () => {
    const gaps = Array.from(all.matchAll(/\b(?:gap|padding)[a-z-]*: ([^;]+);/g), ([, gap = '']) => gap);
    const lengths = new Set(gaps.flatMap((gap) => gap.match(/\d+px/g) ?? []));
    for (const length of ['4px', '8px', '12px', '16px', '24px']) lengths.delete(length);
    // Around a badge, and the place of a picture in an outline.
    assert.deepEqual([...lengths].sort(), ['2px', '332px']);
  });

  it('have few breakpoints, which are the same in all of them', () => {
    const widths = new Set(
      Array.from(all.matchAll(/@container [^{]*/g), ([query]) => query.match(/\d+px/g) ?? []).flat(),
    );
    assert.deepEqual([...widths].sort(), ['1000px', '640px', '800px']);
  });
});
