/** `node test/support/ensure-prometheus.mjs`: installs Prometheus and promtool if they are missing. */
import { findPrometheus, findPromtool } from './find-prometheus.mjs';
import { findOrInstall } from './install-browser.mjs';

const PROGRAMS = [
  [findPrometheus, 'Prometheus', 'PROMETHEUS_PATH'],
  [findPromtool, 'promtool', 'PROMTOOL_PATH'],
];

try {
  for (const [find, what, variable] of PROGRAMS) {
    const todo = `install Prometheus, or set ${variable} to ${what}`;
    console.log(
      `${what}: ${findOrInstall(find, { what, debian: 'prometheus', ubuntu: 'prometheus', todo })}`,
    );
  }
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
