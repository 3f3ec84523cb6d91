import type { TestRunnerPlugin } from '@web/test-runner-core';
import { GatewayLab } from './gateway-lab.ts';

/** A call of a method of the test file's {@link GatewayLab}. */
export interface GatewayCall {
  readonly method: keyof GatewayLab;
  readonly args: readonly unknown[];
}

/** The command `gateway`: real gateways in the runner's process, closed when the test file ends. */
export function gatewayPlugin(): TestRunnerPlugin<GatewayCall> {
  const labs = new Map<string, GatewayLab>();
  const close = (sessionId: string) => {
    const lab = labs.get(sessionId);
    labs.delete(sessionId);
    return lab?.closeAll();
  };

  return {
    name: 'gateway-command',
    serverStart({ webSockets }) {
      webSockets?.on('message', ({ data }) => {
        if (data.type === 'wtr-session-finished' && typeof data.sessionId === 'string')
          void close(data.sessionId);
      });
    },
    async serverStop() {
      await Promise.all([...labs.keys()].map(close));
    },
    async executeCommand({ command, payload, session }) {
      if (command !== 'gateway' || !payload) return undefined;
      const lab = labs.get(session.id) ?? new GatewayLab();
      labs.set(session.id, lab);
      const result: unknown = await Reflect.apply(lab[payload.method], lab, [...payload.args]);
      // The runner reports a command without a result as unknown.
      return { result };
    },
  };
}
