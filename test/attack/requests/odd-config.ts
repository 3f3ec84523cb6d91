import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../../../gateway/test/support/command.ts';
import type { Scope } from '../../support/scope.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { until } from '../../support/until.ts';
import type { Random } from '../random.ts';

/** Longest time in which the command must have read it, in milliseconds. */
const READ_WITHIN = 30_000;
const PASSWORD = 'la-clave-secreta';

const NAMES = [
  ...['port', 'host', 'trust-proxy', 'allow-origin', 'public-url', 'engine', 'data', 'server'],
  ...['whatsapp-url', 'database', 'advertise', 'metrics', 'config', '__proto__', 'x\u001b[2J\n\u202e'],
];

/** Where a password may be in what was meant to be a URL. */
const URLS = [
  `https://wo:${PASSWORD}@a.example`,
  `https://wo:${PASSWORD}`,
  `wo:${PASSWORD}@a.example`,
  `wo:${PASSWORD}`,
  `wo ${PASSWORD}@a.example`,
  `postgres://wo:${PASSWORD}/db`,
  `postgres://a.example/db?user=wo&password=${PASSWORD}`,
  `http://wo:${PASSWORD}%40a.example`,
  `http://wo:${PASSWORD}＠a.example`,
  `http://wo:8/${PASSWORD}@a.example`,
  `wss://a.example/?p%61ssword=${PASSWORD}`,
  `https://a.example/#${PASSWORD}`,
  `host=a.example password='mi ${PASSWORD}'`,
  `clave = ${PASSWORD}`,
];
/** What stands before and behind it by mistake. */
const AROUND = ['', ' ', '"', '[', '//', '@', ':', '=', '/', ',b.example', '\u00a0', '\n'];
/** Runs of these took the longest. */
const RUNS = ['pass', 'x', '=', '@', ':', '://', '[', '%40', ' '];
/** Longest run in a file that may have 1 MB, with all that is beside it. */
const LONGEST_RUN = 900_000;

/** Draws a value whose text is no longer than `room`. */
function oddValue(random: Random, room: number): string {
  const runOf = (part: string) => part.repeat(random.integer(0, room / part.length));
  const depth = random.integer(1, Math.min(100_000, room / 6));
  return random.pick([
    `${'['.repeat(depth)}${']'.repeat(depth)}`,
    `${'{"x":'.repeat(depth)}1${'}'.repeat(depth)}`,
    JSON.stringify(random.pick(AROUND) + random.pick(URLS) + random.pick(AROUND)),
    JSON.stringify(`wo:${runOf(random.pick(RUNS))}${PASSWORD}`),
    JSON.stringify(runOf(random.pick(RUNS))),
    JSON.stringify('\u001b]0;x\u0007\n\u2028\u202e'),
    ...['null', 'true', '-1', '1e999', '""', '[]', '[null]', '{'],
  ]);
}

/** Makes a file, or names one, that is no good configuration. */
function oddConfig(random: Random): string {
  const file = join(temporaryFolder(), 'gateway.json');
  switch (random.integer(0, 5)) {
    case 0:
      return random.pick(['/dev/zero', '/dev/urandom', '/', '/dev/null', `${file}\u001b[2J`]);
    case 1:
      execFileSync('mkfifo', [file]);
      return file;
    case 2:
      writeFileSync(file, '{');
      truncateSync(file, random.integer(1, 3_000_000_000));
      return file;
    case 3:
      writeFileSync(file, random.bytes(random.integer(0, 1_000)));
      return file;
    default: {
      const length = random.integer(1, 5);
      const options = Array.from(
        { length },
        () => `${JSON.stringify(random.pick(NAMES))}: ${oddValue(random, LONGEST_RUN / length)}`,
      );
      writeFileSync(file, `{${options.join(', ')}}`);
      return file;
    }
  }
}

/** Asserts that the command ends for an odd configuration with sentences that hold no password and no control. */
export async function attackConfig(scope: Scope, random: Random): Promise<void> {
  const file = oddConfig(random);
  const command = run(scope, ['--check', '--config', file]);
  const { child, output } = command;
  await until(() => child.exitCode !== null || child.signalCode !== null, `an end for ${file}`, READ_WITHIN);
  const code = await command.ended;
  const said = `${output.stdout}${output.stderr}`;
  assert.ok(code === 0 || code === 2, `${file} ended with ${code}: ${said.slice(0, 2_000)}`);
  assert.ok(!said.includes(PASSWORD), said);
  for (const line of said.split('\n')) assert.doesNotMatch(line, /[\p{Cc}\p{Bidi_Control}]/u);
  const sentences = output.stderr.split('\n').filter(Boolean);
  assert.equal(sentences.length > 0, code === 2);
  for (const sentence of sentences) assert.match(sentence, /^\S.*\.$/);
}
