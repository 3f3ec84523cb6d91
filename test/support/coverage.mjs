/**
 * `npm run coverage`: prints how many lines of each file of src the tests run, those of the store in Node and those in
 * Chromium together.
 */
import { execSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import libCoverage from 'istanbul-lib-coverage';
import v8ToIstanbul from 'v8-to-istanbul';

const SOURCE = pathToFileURL('src/').href;

const coverage = libCoverage.createCoverageMap();
await addNode();
addChromium();
print();

async function addNode() {
  const folder = mkdtempSync(join(tmpdir(), 'wo-coverage-'));
  try {
    execSync('node --import tsx --test test/store/*.test.ts', {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, NODE_V8_COVERAGE: folder },
    });
    for (const file of readdirSync(folder))
      await addProcess(JSON.parse(readFileSync(join(folder, file), 'utf8')));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The coverage report of a Node process, with its source maps. */
async function addProcess({ result, 'source-map-cache': maps = {} }) {
  for (const { url, functions } of result) {
    const map = maps[url];
    if (!url.startsWith(SOURCE) || !map) continue;
    const path = fileURLToPath(url);
    const converter = v8ToIstanbul(path, 0, {
      // Only the lengths of the lines matter.
      source: map.lineLengths.map((length) => '.'.repeat(length)).join('\n'),
      originalSource: readFileSync(path, 'utf8'),
      sourceMap: { sourcemap: map.data },
    });
    await converter.load();
    converter.applyCoverage(functions);
    coverage.merge(converter.toIstanbul());
  }
}

function addChromium() {
  execSync('npx web-test-runner --config test/coverage.config.mjs', {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  coverage.merge(JSON.parse(readFileSync('coverage/coverage-final.json', 'utf8')));
}

function print() {
  const rows = coverage
    .files()
    .map((path) => ({ file: relative('.', path), lines: coverage.fileCoverageFor(path).toSummary().lines }))
    .sort((a, b) => a.file.localeCompare(b.file));
  for (const { file, lines } of [...rows, { file: 'all', lines: coverage.getCoverageSummary().lines }])
    console.log(
      `${file.padEnd(40)} ${`${lines.covered}/${lines.total}`.padStart(10)} ${lines.pct.toFixed(1).padStart(6)} %`,
    );
}
