import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const FILE = fileURLToPath(new URL('../../deploy/compose.yml', import.meta.url));
/** The plugin of Docker, or the program that came before it. */
const COMPOSE = [['docker', 'compose'], ['docker-compose']].find(
  ([program = '', ...args]) => spawnSync(program, [...args, 'version']).status === 0,
);
const skip = COMPOSE === undefined && 'there is no Docker Compose';

function config(env: Record<string, string>) {
  const [program = '', ...args] = COMPOSE ?? [];
  return spawnSync(program, [...args, '--file', FILE, 'config'], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, ...env },
  });
}

test('Compose accepts the file', { skip }, () => {
  const { status, stdout, stderr } = config({ SITE: 'panel.example', WO_TOKEN: 'a-token-of-a-test' });
  assert.equal(status, 0, stderr);
  assert.ok(stdout.includes('WO_ALLOW_ORIGIN: https://panel.example'));
});

test('Compose refuses to start the gateway without a token', { skip }, () => {
  const { status, stderr } = config({ SITE: 'panel.example' });
  assert.notEqual(status, 0);
  assert.match(stderr, /is missing in \.env, see the beginning of compose\.yml/);
});
