import assert from 'node:assert/strict';
import { chmodSync, chownSync, lchownSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, test } from 'node:test';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { trustProblem } from '../../src/ledger/trust.ts';

/** No user and no group has this id. */
const STRANGER = 54_321;
const own = process.geteuid?.();
const notRoot = own !== 0 && 'only root can give files away';

/** Makes a file in a folder of its own, both for this user alone. */
function makeFile() {
  const parent = temporaryFolder();
  const folder = join(parent, 'folder');
  mkdirSync(folder, { mode: 0o700 });
  const file = join(folder, 'file');
  writeFileSync(file, '', { mode: 0o600 });
  return { parent, folder, file };
}

const problemOf = (file: string, isSecret = false, user = own) =>
  trustProblem(file, 'the file', isSecret, user);

describe('a file that says who may do what', () => {
  test('is trusted if only this user and root can change it', () => {
    const { folder, file } = makeFile();
    for (const mode of [0o400, 0o600, 0o644, 0o755]) {
      chmodSync(file, mode);
      assert.equal(problemOf(file), undefined, mode.toString(8));
    }
    chmodSync(folder, 0o755);
    assert.equal(problemOf(file), undefined);
    // As /tmp.
    chmodSync(folder, 0o1777);
    assert.equal(problemOf(file), undefined);
  });

  test('is refused if others can write to it, or put another into its place', () => {
    const { parent, folder, file } = makeFile();
    for (const [path, safe] of [
      [file, 0o600],
      [folder, 0o700],
      [parent, 0o700],
    ] as const) {
      for (const bit of [0o020, 0o002]) {
        chmodSync(path, safe | bit);
        assert.equal(
          problemOf(file),
          `Other users can change the file. Run this first: chmod go-w '${path}'`,
        );
      }
      chmodSync(path, safe);
    }
  });

  test('is refused if another user owns it, or a folder that leads to it', { skip: notRoot }, () => {
    const { parent, folder, file } = makeFile();
    chmodSync(folder, 0o1777);
    const move = 'Move it into a folder of this user or root.';
    for (const [path, mend] of [
      [file, `Run this first: chown -h 0 '${file}'`],
      [folder, move],
      [parent, move],
    ] as const) {
      chownSync(path, STRANGER, STRANGER);
      assert.equal(problemOf(file), `Another user owns '${path}', and so can change the file. ${mend}`);
      chownSync(path, 0, 0);
    }
  });

  test('may belong to root', { skip: notRoot }, () => {
    const { parent, folder, file } = makeFile();
    assert.equal(problemOf(file, false, STRANGER), undefined);
    for (const path of [parent, folder, file]) chownSync(path, STRANGER, STRANGER);
    assert.equal(problemOf(file, false, STRANGER), undefined);
  });

  test('is looked at behind symbolic links, and so are these', () => {
    const { parent, folder, file } = makeFile();
    const [open, other] = [join(parent, 'open'), join(parent, 'other')];
    for (const path of [open, other]) mkdirSync(path, { mode: 0o700 });
    symlinkSync('../folder', join(open, 'link'));
    symlinkSync(join('..', 'open', 'link', 'file'), join(other, 'file'));
    const named = join(other, 'file');
    assert.equal(problemOf(named), undefined);
    for (const path of [folder, open, other]) {
      chmodSync(path, 0o777);
      assert.match(problemOf(named) ?? '', new RegExp(`chmod go-w '[^']*/${basename(path)}'$`));
      chmodSync(path, 0o700);
    }
    chmodSync(file, 0o602);
    assert.match(problemOf(named) ?? '', /chmod go-w '[^']*\/open\/link\/file'$/);
  });

  test('is looked at where the system finds it, not where .. leads in the text', () => {
    const { parent, folder, file } = makeFile();
    const open = join(parent, 'open');
    mkdirSync(join(open, 'inside'), { recursive: true, mode: 0o700 });
    writeFileSync(join(open, 'file'), '');
    chmodSync(join(open, 'file'), 0o602);
    symlinkSync('../open/inside', join(folder, 'link'));
    symlinkSync('link/../file', join(folder, 'other'));
    assert.equal(problemOf(file), undefined);
    for (const named of [`${folder}/link/../file`, join(folder, 'other')])
      assert.match(problemOf(named) ?? '', /^Other users can change the file\./, named);
  });

  test('is refused behind a link of another user', { skip: notRoot }, () => {
    const { folder, file } = makeFile();
    const link = join(folder, 'link');
    symlinkSync('file', link);
    chmodSync(folder, 0o1777);
    assert.equal(problemOf(link), undefined);
    lchownSync(link, STRANGER, STRANGER);
    assert.match(problemOf(link) ?? '', /^Another user owns .*link'/);
    assert.equal(problemOf(file), undefined);
  });

  test('is trusted as Kubernetes mounts it, also a secret', { skip: notRoot }, () => {
    const { folder } = makeFile();
    const version = join(folder, '..2026_11_28');
    mkdirSync(version, { mode: 0o755 });
    writeFileSync(join(version, 'key'), '');
    chownSync(join(version, 'key'), 0, STRANGER);
    symlinkSync('..2026_11_28', join(folder, '..data'));
    symlinkSync('..data/key', join(folder, 'key'));
    chmodSync(folder, 0o3777);
    for (const mode of [0o440, 0o640]) {
      chmodSync(join(version, 'key'), mode);
      assert.equal(problemOf(join(folder, 'key'), true, STRANGER), undefined);
    }
    chmodSync(join(version, 'key'), 0o644);
    assert.match(problemOf(join(folder, 'key'), true, STRANGER) ?? '', /^Other users can read the file\./);
  });
});

test('a secret is refused if others can read it', () => {
  const { file } = makeFile();
  for (const [mode, verb] of [
    [0o640, 'read'],
    [0o604, 'read'],
    [0o660, 'change'],
    [0o602, 'change'],
  ] as const) {
    chmodSync(file, mode);
    assert.equal(
      problemOf(file, true),
      `Other users can ${verb} the file. Run this first: chmod go-rw '${file}'`,
    );
  }
  for (const mode of [0o600, 0o400]) {
    chmodSync(file, mode);
    assert.equal(problemOf(file, true), undefined);
  }
});
