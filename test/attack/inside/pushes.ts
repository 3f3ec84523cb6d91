/** Loaded into the gateway's process: has one of its phones report state after state, which {@link indexOf} counts. */
import { SimulatedPhones } from '../../../demo/gateway/simulated/phones.ts';
import './gauge.ts';

/** Pushes a second. */
const RATE = 3_000;
const INTERVAL = 10;
/** So long a text that the buffers of the operating system are full soon. */
const PADDING = 'x'.repeat(1_000);

const { restore } = SimulatedPhones.prototype;
SimulatedPhones.prototype.restore = function begin(resume) {
  restore.call(this, resume);
  const numero = this.list().find(({ state }) => state === 'connected')?.numero ?? '';
  let index = 0;
  // What a stall leaves out is not made up for: it would be a burst that no phone makes.
  setInterval(() => {
    for (const end = index + (RATE * INTERVAL) / 1_000; index < end; index += 1) {
      this.report(numero, `${index} ${PADDING}`);
    }
  }, INTERVAL).unref();
};
