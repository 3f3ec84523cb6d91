import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

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
