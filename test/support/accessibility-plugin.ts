import { ChromeLauncher } from '@web/test-runner-chrome';
import type { TestRunnerPlugin } from '@web/test-runner-core';

/** What assistive technology gets of an element. */
export interface AccessibleNode {
  readonly role: string;
  readonly name: string;
}

/** The command `accessibility-tree`: all that is in it of the page under test, in Chromium only. */
export function accessibilityPlugin(): TestRunnerPlugin {
  return {
    name: 'accessibility-tree-command',
    async executeCommand({ command, session }): Promise<readonly AccessibleNode[] | undefined> {
      if (command !== 'accessibility-tree') return undefined;
      if (!(session.browser instanceof ChromeLauncher) || session.browser.name === 'Firefox')
        throw new Error('The accessibility tree needs Chromium.');
      const devtools = await session.browser.getPage(session.id).createCDPSession();
      const { nodes } = await devtools.send('Accessibility.getFullAXTree');
      await devtools.detach();
      return nodes
        .filter(({ ignored }) => !ignored)
        .map(({ role, name }) => ({ role: String(role?.value), name: String(name?.value ?? '') }));
    },
  };
}
