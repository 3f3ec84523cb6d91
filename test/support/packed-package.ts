import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { Page } from '../readme/page.ts';

const run = promisify(execFile);

/** Runs npm in a folder; rejects with what it printed. */
export async function npm(cwd: string, ...args: string[]): Promise<string> {
  const { stdout } = await run('npm', args, {
    cwd,
    shell: process.platform === 'win32',
    maxBuffer: 2 ** 26,
  });
  return stdout;
}

/** Paths of the files that npm would pack of the package in a folder, as they are there. */
export function packedFiles(folder = '.'): string[] {
  const report = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: folder,
    encoding: 'utf8',
  });
  const [packed]: { files: { path: string }[] }[] = JSON.parse(report);
  if (!packed) throw new Error('npm packed nothing');
  return packed.files.map(({ path }) => path);
}

/** Packs the current build as npm would publish it; returns the path of the tarball. */
export function pack(folder: string): string {
  const report = execFileSync(
    'npm',
    ['pack', '--json', '--ignore-scripts', '--silent', '--pack-destination', folder],
    { encoding: 'utf8' },
  );
  const [packed]: { filename: string }[] = JSON.parse(report);
  if (!packed) throw new Error('npm packed nothing');
  return join(folder, packed.filename);
}

/** Makes a project, and installs packages in it as a user would. */
export async function project(folder: string, ...packages: string[]): Promise<string> {
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{ "type": "module", "private": true }');
  await npm(folder, 'install', '--no-audit', '--no-fund', '--prefer-offline', ...packages);
  return folder;
}

/** The relative links in a package's documents, which are in the folder, to what is not among its files. */
export function deadLinks(files: readonly string[], folder: string): string[] {
  const isThere = (path: string) => files.some((file) => file === path || file.startsWith(`${path}/`));
  return files
    .filter((file) => file.endsWith('.md'))
    .flatMap((file) =>
      new Page(join(folder, file)).links
        .map((link) => link.replace(/#.*/, ''))
        .filter((link) => link !== '' && !isThere(join(dirname(file), link)))
        .map((link) => `${file}: ${link}`),
    );
}

/** Unpacks the tarball into a project's node_modules. */
export function install(tarball: string, project: string): void {
  const target = join(project, 'node_modules', 'whatsapp-operadores');
  mkdirSync(target, { recursive: true });
  execFileSync('tar', ['--extract', '--file', tarball, '--directory', target, '--strip-components', '1']);
}

/** What a tool prints that judges packages; rejects with it where the tool fails. */
export function runTool(path: string, ...args: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(path, args, (error, stdout, stderr) => {
      if (error) reject(new Error(`${path}\n${stdout}${stderr}`));
      else resolve(stdout + stderr);
    });
  });
}
