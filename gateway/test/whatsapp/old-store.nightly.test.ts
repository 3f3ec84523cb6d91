import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { STATES } from '../../../src/wire.ts';
import { failSql } from './support/failing-sql.ts';
import { NUMERO, OTHER, startLab } from './support/lab.ts';
import { makeOld } from './support/old-store.ts';
import { filesWith } from './support/raw-files.ts';

const RECIPIENT = '34600000002';

describe('a store of an older gateway', () => {
  test('is migrated with its sessions linked, and later deletions leave no trace', async (t) => {
    const lab = await startLab(t);
    await lab.link(OTHER);
    await lab.link();
    assert.equal((await lab.send([RECIPIENT])).status, 200);
    await lab.gateway.close();
    makeOld(lab.folder);
    await lab.start();
    for (const numero of [OTHER, NUMERO]) await lab.state(STATES.connected, numero);
    assert.deepEqual(
      (await lab.list()).map(({ numero }) => numero),
      [OTHER, NUMERO],
    );
    assert.equal((await lab.send([RECIPIENT])).status, 200);
    assert.deepEqual(lab.whatsapp.phone(RECIPIENT).failures, []);
    assert.equal(lab.whatsapp.registrations, 2);

    assert.equal((await lab.delete()).status, 204);
    assert.deepEqual(filesWith(lab.folder, NUMERO), []);
    assert.equal((await lab.delete(OTHER)).status, 204);
    assert.deepEqual(filesWith(lab.folder, '"Buffer"'), []);
    assert.deepEqual(lab.printed, []);
  });

  test('stays as it is on a full disk, and is migrated when there is space', async (t) => {
    const lab = await startLab(t);
    await lab.link();
    await lab.gateway.close();
    makeOld(lab.folder);
    const heal = failSql(t, /DROP TABLE IF EXISTS keys$/);
    await assert.rejects(lab.start(), {
      name: 'FolderError',
      message: `No space left on the disk of '${lab.folder}': free some and start again.`,
    });
    heal();
    await lab.start();
    await lab.state(STATES.connected);
    assert.equal(lab.whatsapp.registrations, 1);
  });
});
