import { SLOW } from './timed.mjs';

// Tests mock it.
const { cpuUsage } = process;

/** Reports each slow file of a group, with what it took in this process, and each that registers no test, which fails. */
export default async function* fileReporter(events) {
  let tests = 0;
  let begun = cpuUsage();
  for await (const { type, data } of events) {
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    if (data.nesting > 0) {
      tests += 1;
      continue;
    }
    if (tests === 0) {
      process.exitCode = 1;
      yield `✖ ${data.name}: the file registers no test.\n`;
    }
    const seconds = data.details.duration_ms / 1_000;
    const { user, system } = cpuUsage(begun);
    if (seconds > SLOW)
      yield `slow: ${data.name}, ${Math.round(seconds)} s, ${((user + system) / 1e6).toFixed(1)} core-seconds of this process\n`;
    tests = 0;
    begun = cpuUsage();
  }
}
