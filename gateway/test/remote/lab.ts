import type { Scope } from '../../../test/support/scope.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { until } from '../../../test/support/until.ts';
import type { RemoteOptions } from '../../src/engines/provider.ts';
import type { RemoteName } from '../../src/engines/remote/names.ts';
import { createLogger } from '../../src/log.ts';
import { itemOf, Listener, startGateway } from '../support/gateway.ts';
import { KEY, type StandIn } from '../support/stand-in.ts';

/** A feed that is watched, a list that is read often, and little patience, in milliseconds. */
const QUICK = { every: 60_000, alone: 100, patience: 400 };

let last = 34_600_100_000;

/** Returns a numero that no other test has. */
export function newNumero(): string {
  last += 1;
  return String(last);
}

/** A gateway in front of a stand-in, with what it logs and pushes. */
export async function openRemote(
  scope: Scope,
  name: RemoteName,
  standIn: StandIn,
  options: Partial<RemoteOptions> = {},
) {
  const lines: string[] = [];
  const logger = createLogger('trace', { write: (line) => lines.push(line) });
  const folder = temporaryFolder();
  const remote = { name, url: standIn.url, key: KEY, folder, timings: QUICK, ...options };
  const gateway = await startGateway(scope, { remote, logger });
  const listener = await Listener.connect(scope, gateway);
  const item = (numero: string) => itemOf(gateway, numero);
  return {
    gateway,
    listener,
    lines,
    folder,
    item,
    /** Waits until a session is listed in that state. */
    async comes(numero: string, state: string) {
      return until(async () => {
        const session = await item(numero);
        if (session?.state !== state) throw new Error(`it is ${session?.state ?? 'not listed'}`);
        return session;
      }, `${numero} to be ${state}`);
    },
    /** Scans the code of a session, once a valid one is listed. */
    async scanned(numero: string, phone = numero): Promise<void> {
      await until(async () => {
        const { qrCode = '' } = (await item(numero)) ?? {};
        await standIn.command({ do: 'scan', phone, code: qrCode });
        return true;
      }, 'a code that is still valid');
    },
    async goes(numero: string): Promise<void> {
      await until(async () => (await item(numero)) === undefined, `${numero} to leave the list`);
    },
    /** Waits until something was logged after the first `mark` lines. */
    async logged(text: string, mark = 0): Promise<void> {
      await until(() => lines.slice(mark).some((line) => line.includes(text)), `the log of: ${text}`);
    },
    /** Resolves with a mark once all that was pushed until now has been heard: what is pushed later has. */
    async caughtUp(): Promise<number> {
      const later = newNumero();
      await standIn.command({ do: 'create', name: later, phone: later });
      await listener.heard(`session:ready:${later}`);
      return listener.mark;
    },
    /** What was pushed about a numero after a mark, without its details. */
    pushesOf: (numero: string, mark = 0) =>
      listener
        .since(mark)
        .filter((push) => JSON.stringify(push).includes(numero))
        .map(([push]) => push.split(':')[1]),
  };
}
