import { findBrowser } from './find-browser.mjs';

const NOWHERE = { macPlaces: [], windowsPlaces: [], otherPlaces: [] };

/** The path of Prometheus, or undefined where there is none; PROMETHEUS_PATH decides. */
export function findPrometheus() {
  return findBrowser({ variable: 'PROMETHEUS_PATH', names: ['prometheus'], ...NOWHERE });
}

/** The path of its tool for rules and metrics, or undefined where there is none; PROMTOOL_PATH decides. */
export function findPromtool() {
  return findBrowser({ variable: 'PROMTOOL_PATH', names: ['promtool'], ...NOWHERE });
}
