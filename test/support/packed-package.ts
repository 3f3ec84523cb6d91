import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

/** Packs what npm would publish of the build that is there; gives the path of the tarball. */
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

/** Puts the tarball where a project in that folder has its packages. */
export function install(tarball: string, project: string): void {
  const target = join(project, 'node_modules', 'whatsapp-operadores');
  mkdirSync(target, { recursive: true });
  execFileSync('tar', ['--extract', '--file', tarball, '--directory', target, '--strip-components', '1']);
}
