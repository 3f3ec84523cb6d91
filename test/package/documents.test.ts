import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { deadLinks, packedFiles } from '../support/packed-package.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

describe('a package has what its documents link to', () => {
  test('the panel', () => {
    assert.deepEqual(deadLinks(packedFiles(), '.'), []);
  });

  test('the gateway, whose README is in the repository as it was once the package is made', () => {
    const folder = temporaryFolder();
    const documents = (task: string) => execFileSync('node', ['gateway/documents.mjs', task, folder]);
    documents('add');
    const added = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    assert.ok(added.includes('README.md') && added.includes(join('dist', 'docs', 'contract.md')));
    assert.deepEqual(deadLinks([...packedFiles('gateway'), ...added], folder), []);

    documents('remove');
    for (const file of ['README.md', 'CHANGELOG.md'])
      assert.equal(readFileSync(join(folder, file), 'utf8'), readFileSync(join('gateway', file), 'utf8'));
  });
});
