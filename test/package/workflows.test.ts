import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { parse } from 'yaml';
import { temporaryFolder } from '../support/temporary-folder.ts';

interface Step {
  readonly name?: string;
  readonly run?: string;
  readonly with?: { readonly 'node-version'?: number | string };
}

interface Job {
  readonly strategy?: { readonly matrix: { readonly node: readonly number[] } };
  readonly steps: readonly Step[];
}

const FOLDER = '.github/workflows';
const PACKAGES = ['.', 'gateway'];

const jobsOf = (file: string): readonly Job[] => {
  const { jobs }: { jobs: Record<string, Job> } = parse(readFileSync(join(FOLDER, file), 'utf8'));
  return Object.values(jobs);
};
const stepsOf = (file: string) => jobsOf(file).flatMap(({ steps }) => steps);

describe('the workflow that publishes', () => {
  const steps = stepsOf('publish.yml');
  const index = (text: string) => steps.findIndex(({ run }) => run?.includes(text));

  test('publishes both packages with provenance, after all checks', () => {
    const published = steps.filter(({ run }) => run?.startsWith('npm publish'));
    assert.equal(published.length, PACKAGES.length);
    for (const { run } of published) assert.match(run ?? '', / --provenance --access public/);
    assert.equal(published.filter(({ run }) => run?.includes(' --workspace gateway ')).length, 1);
    for (const step of published) assert.ok(steps.indexOf(step) > index('.ci/run'));
  });

  test('refuses a tag that is not the version of both packages', () => {
    const check = (tag: string, versions: readonly string[]) => {
      const folder = packages((place) => ({ version: versions[place] }));
      return run(index('GITHUB_REF_NAME'), folder, { GITHUB_REF_NAME: tag });
    };
    assert.equal(check('v1.2.3', ['1.2.3', '1.2.3']), 0);
    assert.notEqual(check('v1.2.4', ['1.2.3', '1.2.3']), 0);
    assert.notEqual(check('v1.2.3', ['1.2.2', '1.2.3']), 0);
    assert.notEqual(check('v1.2.3', ['1.2.3', '1.2.2']), 0);
  });

  test('has each package name the repository, and its folder there', () => {
    const folder = packages((place) => manifestOf(PACKAGES[place] ?? ''));
    const env = { GITHUB_SERVER_URL: 'https://github.com', GITHUB_REPOSITORY: 'owner/panel' };
    assert.equal(run(index('npm pkg set'), folder, env), 0);
    const repositories = PACKAGES.map((name) => manifestOf(join(folder, name)).repository);
    const repository = { type: 'git', url: 'git+https://github.com/owner/panel.git' };
    assert.deepEqual(repositories, [repository, { ...repository, directory: 'gateway' }]);
  });

  /** Runs a step as GitHub does; returns its exit code. */
  function run(step: number, cwd: string, env: Record<string, string>): number | null {
    const { status } = spawnSync('bash', ['-e', '-c', steps[step]?.run ?? 'exit 1'], {
      cwd,
      env: { PATH: process.env.PATH, ...env },
    });
    return status;
  }
});

test('every Node that a workflow uses is one that each change is tested with, the oldest that may be used among them', () => {
  const tested = jobsOf('ci.yml').flatMap(({ strategy }) => strategy?.matrix.node ?? []);
  const { engines } = manifestOf('.');
  assert.equal(engines.node, `>=${Math.min(...tested)}.19`);
  const used = readdirSync(FOLDER)
    .flatMap(stepsOf)
    .map((step) => step.with?.['node-version'])
    .filter((version) => typeof version === 'number');
  assert.ok(used.length > 3);
  assert.deepEqual(
    used.filter((version) => version !== Math.max(...tested)),
    [],
  );
});

/** Makes a folder that has both manifests alone. */
function packages(manifest: (place: number) => object): string {
  const folder = temporaryFolder();
  PACKAGES.forEach((name, place) => {
    mkdirSync(join(folder, name), { recursive: true });
    writeFileSync(join(folder, name, 'package.json'), JSON.stringify(manifest(place)));
  });
  return folder;
}

function manifestOf(folder: string): { engines: { node: string }; repository?: object } {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}
