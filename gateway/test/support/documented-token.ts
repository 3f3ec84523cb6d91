import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { ACCESS } from '../../../test/readme/page.ts';
import type { Scope } from '../../../test/support/scope.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { bearer } from './access.ts';
import { call, message, NUMERO, startGateway } from './gateway.ts';

const HEADING = 'Tokens of the portal';
const OTHER = '34600000002';

/**
 * Expects a gateway to admit the token that the documentation signs in a language, to its one number alone.
 *
 * @param command runs the program that it reads
 */
export async function expectOneNumber(
  scope: Scope,
  language: string,
  command: string,
  ...args: string[]
): Promise<void> {
  const cwd = temporaryFolder();
  const [makesKey = ''] = ACCESS.snippet(HEADING, 'sh').split('\n');
  execFileSync('sh', ['-c', makesKey], { cwd });
  const input = ACCESS.snippet(HEADING, language);
  const headers = bearer(execFileSync(command, args, { cwd, input, encoding: 'utf8' }).trim());
  const sessions = [NUMERO, OTHER].map((numero) => ({ numero, state: 'connected' }) as const);
  const gateway = await startGateway(scope, { jwtKey: join(cwd, 'portal.key'), sessions });

  const { body } = await call(gateway, '/api/session/sessions', { headers });
  assert.ok(Array.isArray(body));
  assert.deepEqual(
    body.map(({ numero }) => numero),
    [NUMERO],
  );
  const statusFrom = async (numero: string) => {
    const sent = { method: 'POST', body: message(numero, [34600000009]), headers };
    return (await call(gateway, '/api/message', sent)).status;
  };
  assert.equal(await statusFrom(NUMERO), 200);
  assert.equal(await statusFrom(OTHER), 403);
}
