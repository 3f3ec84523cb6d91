import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import type { Diagnosis } from '../../src/diagnosis.ts';
import { examineRemote, type RemoteOptions } from '../../src/engines/provider.ts';
import type { RemoteName } from '../../src/engines/remote/names.ts';
import { run } from '../support/command.ts';
import { KEY, SERVERS, StandIn } from '../support/stand-in.ts';

const VERSION = { waha: 'GET /api/server/version', evolution: 'GET / ' };

for (const { title, name, args } of SERVERS) {
  describe(`the doctor of ${title}`, () => {
    test('finds what is right, and what is wrong', async (t) => {
      const standIn = await StandIn.start(t, name, ...args);
      const folder = temporaryFolder();
      const examined = (more: Partial<RemoteOptions> = {}) =>
        examineRemote({ name, url: standIn.url, key: KEY, folder, ...more });
      await standIn.command({ do: 'create', name: '34600000001', phone: '34600000001' });
      await standIn.command({ do: 'create', name: 'ventas' });

      const well = await examined();
      assert.ok(well.isWell, well.lines.join('\n'));
      assert.match(
        well.lines.join('\n'),
        /It accepts the key: 2 sessions; not listed: 1 of an unknown number\./,
      );
      assert.equal((await standIn.sessions()).length, 2);

      assert.match(
        well.lines.join('\n'),
        /It rejects other keys\.\nok {5}Its events can be read, and it still answers\./,
      );

      says(
        await examined({ key: 'wrong' }),
        /^wrong {2}.* rejects the key: set its key as WO_SERVER_KEY\.$/m,
      );

      await standIn.command({ do: 'faults', faults: [{ of: 'GET /', as: 'html' }] });
      says(await examined(), /^wrong {2}What answers at --server is not the API of /m);
      const license = { error: { code: 'LICENSE_REQUIRED' } };
      await standIn.command({ do: 'faults', faults: [{ of: 'GET /', as: { status: 503, json: license } }] });
      says(await examined(), /^wrong {2}.* is not activated: activate its license\.$/m);
      await standIn.command({
        do: 'faults',
        faults: [{ of: VERSION[name].trim(), times: 1, as: old(name) }],
      });
      says(await examined(), /^wrong {2}.* is too old: update it to /m);

      await standIn.command({ do: 'faults', faults: [] });
      await standIn.kill();
      says(
        await examined(),
        /^wrong {2}.* cannot be reached \(ECONNREFUSED\): start it, or correct --server\.$/m,
      );
    });
  });
}

test('the doctor of waha says that an edition accepts any key', async (t) => {
  const standIn = await StandIn.start(t, 'waha', '2024.10.8', 'CORE');
  const folder = temporaryFolder();
  const { lines, isWell } = await examineRemote({ name: 'waha', url: standIn.url, key: KEY, folder });
  assert.match(lines.join('\n'), /^\? {6}It accepts any key: /m);
  assert.ok(isWell, lines.join('\n'));
});

test('the command ends with 1 if something is wrong, and never shows the key', async (t) => {
  const standIn = await StandIn.start(t, 'waha');
  const command = run(t, ['doctor', '--engine', 'waha', '--server', standIn.url], {
    env: { WO_SERVER_KEY: 'canary' },
  });
  assert.equal(await command.ended, 1);
  assert.match(command.output.stdout, /^wrong {2}WAHA rejects the key/m);
  assert.doesNotMatch(command.output.stdout + command.output.stderr, /canary/);
});

function says({ lines, isWell }: Diagnosis, sentence: RegExp): void {
  assert.match(lines.join('\n'), sentence);
  assert.equal(isWell, false);
}

/** The answer of a version that is too old. */
function old(name: RemoteName) {
  const json = {
    waha: { version: '2023.6.1', engine: 'WEBJS', tier: 'CORE' },
    evolution: { version: '1.8.2' },
  };
  return { status: 200, json: json[name] };
}
