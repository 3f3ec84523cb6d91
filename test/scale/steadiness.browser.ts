import '../../src/index.ts';
import { waitFor } from '@testing-library/dom';
import { expect } from 'chai';
import { nextFrame } from '../support/frame.ts';
import { startGateway } from '../support/gateway.ts';
import { mount } from '../support/panel.ts';
import { setWindow } from '../support/viewport.ts';

/** Half of what counts as good (web.dev/cls). */
const MOST = 0.05;

/** An entry of the type `layout-shift` (Layout Instability API). */
interface Shift extends PerformanceEntry {
  readonly value: number;
}
const isShift = (entry: PerformanceEntry): entry is Shift => 'value' in entry;

describe('the layout hardly shifts when the list comes', () => {
  before(function () {
    if (!PerformanceObserver.supportedEntryTypes.includes('layout-shift')) this.skip();
  });

  for (const [width, height] of [
    [360, 740],
    [1280, 900],
  ] as const) {
    for (const count of [0, 4, 20, 60]) {
      it(`with ${count} sessions, ${width} by ${height} pixels`, async () => {
        await setWindow({ width, height });
        const gateway = await startGateway({ sessions: count });
        const release = await gateway.hold({ method: 'GET', path: '/api/session/sessions' });
        const panel = await mount(gateway);
        await panel.find('progressbar', /Cargando/);
        await nextFrame();
        const shifts = watchShifts();
        await release();
        await panel.ready();
        await waitFor(() => expect(panel.root.querySelectorAll('article')).to.have.length(count));
        await nextFrame();
        // A shift that is made on purpose tells that those before it have been reported.
        const end = performance.now();
        panel.element.style.marginTop = '300px';
        await waitFor(() => expect(shifts.seen.some(({ startTime }) => startTime >= end)).to.equal(true));
        shifts.stop();
        const before = shifts.seen.filter(({ startTime }) => startTime < end);
        expect(before.reduce((sum, { value }) => sum + value, 0)).to.be.below(MOST);
        await setWindow({ width: 1000, height: 800 });
      });
    }
  }
});

function watchShifts() {
  const seen: Shift[] = [];
  const observer = new PerformanceObserver((list) => {
    seen.push(...list.getEntries().filter(isShift));
  });
  observer.observe({ type: 'layout-shift' });
  return { seen, stop: () => observer.disconnect() };
}
