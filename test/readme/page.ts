import { readdirSync, readFileSync } from 'node:fs';

/** A page of the documentation, in Markdown. */
export class Page {
  readonly path: string;
  readonly text: string;

  /** @param path from the root of the repository */
  constructor(path: string) {
    this.path = path;
    this.text = readFileSync(path, 'utf8');
  }

  /** The text under a heading, up to the next one of its level or above. */
  section(heading: string): string {
    const lines = this.text.split('\n');
    const start = lines.findIndex((line) => headingIn(line) === heading);
    if (start < 0) throw new Error(`${this.path} has no heading '${heading}'`);
    const level = lines[start]?.indexOf(' ') ?? 0;
    const rest = lines.slice(start + 1);
    const end = rest.findIndex((line) => headingIn(line) !== undefined && line.indexOf(' ') <= level);
    return rest.slice(0, end < 0 ? undefined : end).join('\n');
  }

  /** The first block of code in that language under a heading. */
  snippet(heading: string, language: string): string {
    const [, code] = this.section(heading).match(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'ms')) ?? [];
    if (code === undefined) throw new Error(`'${heading}' in ${this.path} has no ${language}`);
    return code;
  }

  /** The text in backticks in the first column of the tables under a heading. */
  namesInTables(heading: string): string[] {
    return [...this.section(heading).matchAll(/^\| (`[^|]+) \|/gm)].flatMap(([, cell = '']) =>
      [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
    );
  }

  /** Targets of its links and images within the repository: relative paths, anchors, or both. */
  get links(): string[] {
    const targets = [...this.text.matchAll(/\]\(([^)]+)\)/g)].map(([, target = '']) => target);
    return targets.filter((target) => !/^[a-z]+:/.test(target));
  }

  /** The anchors of its headings, as GitHub makes them. */
  get anchors(): string[] {
    return this.text.split('\n').flatMap((line) => {
      const anchor = headingIn(line)
        ?.toLowerCase()
        .replace(/[^\w\s-]/g, '');
      return anchor?.replaceAll(' ', '-') ?? [];
    });
  }
}

function headingIn(line: string): string | undefined {
  return line.match(/^#+ (.+)$/)?.[1];
}

export const README = new Page('README.md');
export const ELEMENT = new Page('docs/element.md');
export const OPERATORS = new Page('docs/operators.md');
export const FRAMEWORKS = new Page('docs/frameworks.md');
export const THEMING = new Page('docs/theming.md');
export const CONTRACT = new Page('docs/contract.md');
export const CONTRIBUTING = new Page('docs/CONTRIBUTING.md');
export const REVERSE_PROXIES = new Page('docs/reverse-proxies.md');
export const OPTIONS = new Page('docs/options.md');
export const ACCESS = new Page('docs/access.md');
export const OPERATION = new Page('docs/operation.md');
export const GATEWAY = new Page('gateway/README.md');

const docs = readdirSync('docs', { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('.md'),
);
const files = ['README.md', 'CHANGELOG.md', 'gateway/README.md', ...docs.map((file) => `docs/${file}`)];
export const PAGES = files.map((path) => new Page(path));
