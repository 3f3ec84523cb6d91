import { ChromeLauncher } from '@web/test-runner-chrome';
import type { TestRunnerPlugin } from '@web/test-runner-core';

/** What assistive technology gets of an element. */
export interface AccessibleNode {
  readonly role: string;
  readonly name: string;
  /** The name of the article that it is in. */
  readonly article: string | undefined;
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
      const byId = new Map(nodes.map((node) => [node.nodeId, node]));
      const articleOf = ({ parentId = '' }: (typeof nodes)[number]): string | undefined => {
        const parent = byId.get(parentId);
        if (!parent || parent.role?.value === 'article') return parent && String(parent.name?.value);
        return articleOf(parent);
      };
      return nodes
        .filter(({ ignored }) => !ignored)
        .map((node) => ({
          role: String(node.role?.value),
          name: String(node.name?.value ?? ''),
          article: articleOf(node),
        }));
    },
  };
}
