import '../../src/index.ts';
import { waitFor } from '@testing-library/dom';
import { executeServerCommand } from '@web/test-runner-commands';
import { expect } from 'chai';
import { isChromium } from '../support/browser.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';
import type { PageMetrics } from '../support/metrics-plugin.ts';
import { mount } from '../support/panel.ts';

const MOUNTS = 200;

async function mountAndRemove(gateway: Gateway, times: number): Promise<void> {
  for (let count = 0; count < times; count += 1) {
    const panel = await mount(gateway);
    await waitFor(() => expect(panel.root.querySelector('article'), 'the list').to.be.ok);
    panel.element.remove();
    await waitFor(() => expect(panel.root.childElementCount).to.equal(0));
  }
  await waitFor(async () => expect(await gateway.socketCount()).to.equal(0));
}

const measure = () => executeServerCommand<PageMetrics, undefined>('metrics');

describe('two hundred mounts and removals', () => {
  it('leave heap, nodes and listeners where they were', async function () {
    // Other browsers do not report them.
    if (!isChromium) this.skip();
    this.timeout(300_000);
    const gateway = await startGateway({ sessions: 4 });
    // The style sheet and the compiled code are made once, not for each mount.
    await mountAndRemove(gateway, 20);
    const before = await measure();
    await mountAndRemove(gateway, MOUNTS);
    // One node or listener per mount would be MOUNTS more. The browser frees the last panel in its own time.
    await waitFor(async () => {
      const after = await measure();
      expect(after.nodes - before.nodes).to.be.lessThan(MOUNTS / 2);
      expect(after.listeners - before.listeners).to.be.lessThan(MOUNTS / 2);
      expect(after.heapBytes - before.heapBytes).to.be.lessThan(1_000_000);
    });
  });
});
