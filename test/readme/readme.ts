import { readFileSync } from 'node:fs';

export const README = readFileSync('README.md', 'utf8');

/** The text under a heading, up to the next one of its level or above. */
export function section(heading: string): string {
  const lines = README.split('\n');
  const start = lines.findIndex((line) => /^#+ /.test(line) && line.replace(/^#+ /, '') === heading);
  if (start < 0) throw new Error(`README.md has no heading '${heading}'`);
  const level = lines[start]?.indexOf(' ') ?? 0;
  const rest = lines.slice(start + 1);
  const end = rest.findIndex((line) => /^#+ /.test(line) && line.indexOf(' ') <= level);
  return rest.slice(0, end < 0 ? undefined : end).join('\n');
}

/** The first block of code in that language under a heading. */
export function snippet(heading: string, language: string): string {
  const [, code] = section(heading).match(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'ms')) ?? [];
  if (code === undefined) throw new Error(`'${heading}' in README.md has no ${language}`);
  return code;
}

/** What stands in backticks in the first column of the tables under a heading. */
export function namesInTables(heading: string): string[] {
  return [...section(heading).matchAll(/^\| (`[^|]+) \|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
  );
}
