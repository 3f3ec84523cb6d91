import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { until } from '../../../test/support/until.ts';
import { AccessExchange } from '../../src/cluster/access-exchange.ts';
import type { Sql } from '../../src/ledger/database.ts';
import type { FileContent } from '../../src/ledger/small-file.ts';
import { createLogger } from '../../src/log.ts';
import { Access } from '../../src/security/access.ts';
import { isAdmitted } from '../../src/security/admission.ts';
import { SettingsFileError } from '../../src/security/settings-file.ts';
import { fileOf, tokenOf } from './support/access-lab.ts';
import { CIPHER } from './support/member.ts';

const OLD = fileOf([{ name: 'Ana', may: ['see'] }]);
const NEW = fileOf([{ name: 'Eva', may: ['see'] }]);
/** When the file was changed, in milliseconds since 1970. */
const CHANGED = 1_700_000_000_000;

/** Starts what reads the file {@link OLD}, with other gateways that say what the test says. */
function startAccess(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'wo-access-'));
  const file = join(folder, 'access.json');
  const write = (text: string) => writeFileSync(file, text, { mode: 0o600 });
  write(OLD);
  utimesSync(file, CHANGED / 1_000, CHANGED / 1_000);
  const lines: string[] = [];
  const open = () =>
    new Access({ access: file }, createLogger('warn', { write: (line) => lines.push(line) }));
  const access = open();
  t.after(() => {
    access.close();
    rmSync(folder, { recursive: true });
  });
  const offers: FileContent[] = [];
  let takeShared: (content: FileContent) => void = () => assert.fail('nothing was offered');
  access.shareWith({
    offer(own, take) {
      offers.push(own);
      takeShared = take;
    },
  });
  const admitted = async () => {
    const names = ['Ana', 'Eva', 'Isa'];
    const answers = await Promise.all(names.map((name) => access.admission.recognize(tokenOf({ name }))));
    return names.filter((_, index) => isAdmitted(answers[index] ?? 'missing'));
  };
  return {
    open,
    access,
    write,
    offers,
    lines,
    admitted,
    take: (content: FileContent) => takeShared(content),
  };
}

describe('the access file of gateways on one database', () => {
  test('an old file that is only read again does not replace the newer one of another gateway', async (t) => {
    const { access, admitted, take, offers } = startAccess(t);
    take({ text: NEW, changed: CHANGED + 1 });
    access.reload();
    assert.deepEqual(await admitted(), ['Eva']);
    assert.ok(offers.every(({ changed }) => changed <= CHANGED));
  });

  test('a change counts although the clock of another gateway is ahead', async (t) => {
    const { access, write, admitted, take, offers } = startAccess(t);
    const ahead = Date.now() + 3_600_000;
    take({ text: OLD, changed: ahead });
    write(NEW);
    access.reload();
    assert.deepEqual(await admitted(), ['Eva']);
    const { text, changed = 0 } = offers.at(-1) ?? {};
    assert.ok(text === NEW && changed > ahead);
  });

  test('of two files of one moment, that of the database counts for all', async (t) => {
    const { admitted, take } = startAccess(t);
    take({ text: NEW, changed: CHANGED });
    assert.deepEqual(await admitted(), ['Eva']);
  });

  test('a file without text cannot be used', (t) => {
    const { write, open } = startAccess(t);
    write('');
    assert.throws(open, SettingsFileError);
  });

  test('a file that cannot be used is logged once', async (t) => {
    const { lines, admitted, take } = startAccess(t);
    for (let count = 0; count < 3; count++) take({ text: '{"users":[{}]}', changed: CHANGED + 1 });
    assert.equal(lines.length, 1);
    assert.match(lines[0] ?? '', /The access file of another gateway cannot be used/);
    assert.deepEqual(await admitted(), ['Ana']);
    take({ text: NEW, changed: CHANGED + 2 });
    assert.deepEqual(await admitted(), ['Eva']);
  });

  test('a change during an exchange is exchanged after it', async () => {
    const offered: unknown[] = [];
    const answers: (() => void)[] = [];
    const sql: Sql = async (texts, ...values) => {
      if (texts.join('').includes('UPDATE')) offered.push(values[0]);
      await new Promise<void>((resolve) => answers.push(resolve));
      return [];
    };
    const exchange = new AccessExchange({ sql, cipher: CIPHER }, createLogger('silent'));
    exchange.offer({ text: OLD, changed: CHANGED }, () => {});
    exchange.offer({ text: NEW, changed: CHANGED + 1 }, () => {});
    const answerAll = async () => {
      for (const answer of answers.splice(0)) answer();
      await turn();
      return offered.length === 2;
    };
    await until(answerAll, 'the second exchange', 2_000);
    assert.deepEqual(offered, [OLD, NEW]);
  });
});
