import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { call, hold, runApart } from './support/commands.ts';
import { gateway, oldGateway } from './support/gateways.ts';
import { makeSessions } from './support/stores.ts';

describe('the lock of a folder', () => {
  test('is not taken while a gateway of an earlier version runs', async (t) => {
    const folder = join(temporaryFolder(), 'data');
    await (await makeSessions(folder)).close();
    const kill = await hold(t, oldGateway(folder));
    assert.equal(
      await runApart(gateway(folder)),
      `Another gateway is using the folder '${folder}': choose another with --data.`,
    );
    assert.equal(
      await call('list', folder),
      `The store in '${folder}' is locked, by a gateway of an earlier version: stop that gateway first.`,
    );
    await kill();
    assert.equal(await runApart(gateway(folder)), 'open');
  });
});
