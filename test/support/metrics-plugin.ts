import { ChromeLauncher } from '@web/test-runner-chrome';
import type { TestRunnerPlugin } from '@web/test-runner-core';

/** What a page keeps in memory after garbage collection. */
export interface PageMetrics {
  readonly heapBytes: number;
  readonly nodes: number;
  readonly listeners: number;
}

/** The command `metrics`: {@link PageMetrics} of the page under test, in Chromium only. */
export function metricsPlugin(): TestRunnerPlugin {
  return {
    name: 'metrics-command',
    async executeCommand({ command, session }): Promise<PageMetrics | undefined> {
      if (command !== 'metrics') return undefined;
      if (!(session.browser instanceof ChromeLauncher)) throw new Error('Metrics need Chromium.');
      const page = session.browser.getPage(session.id);
      const devtools = await page.createCDPSession();
      // Twice: what the first collection frees may have kept other objects by weak references.
      await devtools.send('HeapProfiler.collectGarbage');
      await devtools.send('HeapProfiler.collectGarbage');
      await devtools.detach();
      const { JSHeapUsedSize = 0, Nodes = 0, JSEventListeners = 0 } = await page.metrics();
      return { heapBytes: JSHeapUsedSize, nodes: Nodes, listeners: JSEventListeners };
    },
  };
}
