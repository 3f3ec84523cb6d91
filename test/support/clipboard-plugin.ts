import type { TestRunnerPlugin } from '@web/test-runner-core';

export type ClipboardCall = 'hold' | 'release';

/** The command `clipboard`: lends the system's one clipboard to one test file at a time. */
export function clipboardPlugin(): TestRunnerPlugin<ClipboardCall> {
  let holder: string | undefined;
  return {
    name: 'clipboard-command',
    executeCommand({ command, payload, session }) {
      if (command !== 'clipboard') return undefined;
      if (payload === 'hold') holder ??= session.id;
      const isHolder = holder === session.id;
      if (payload === 'release' && isHolder) holder = undefined;
      return { result: isHolder };
    },
  };
}
