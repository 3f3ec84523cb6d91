/** Loaded into the gateway's process: makes a phone report state after state, counted by {@link indexOf}. */
import { SimulatedPhones } from '../../../gateway/src/engines/simulated/phones.ts';
import './gauge.ts';

/** Pushes per second. */
const RATE = 3_000;
const INTERVAL = 10;
/** Long enough to fill the buffers of the operating system soon. */
const PADDING = 'x'.repeat(1_000);

const { restore } = SimulatedPhones.prototype;
SimulatedPhones.prototype.restore = async function begin(resume) {
  await restore.call(this, resume);
  const numero = this.list().find(({ state }) => state === 'connected')?.numero ?? '';
  let index = 0;
  // Pushes missed during a stall are skipped: catching up would be a burst that no phone makes.
  const pushing = setInterval(() => {
    for (const end = index + (RATE * INTERVAL) / 1_000; index < end; index += 1) {
      this.phone(numero).report(`${index} ${PADDING}`);
    }
  }, INTERVAL).unref();
  // A gateway that ends stops its phones first, and they refuse to report then.
  process.once('SIGTERM', () => clearInterval(pushing));
};
