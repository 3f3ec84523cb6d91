import { SLOW } from './timed.mjs';

// Tests mock them. The runner's own durations are by a clock that tests mock, too.
const { cpuUsage } = process;
const now = performance.now.bind(performance);

/** Reports each slow file of a group, with what it took in this process, and each that registers no test, which fails. */
export default async function* fileReporter(events) {
  let tests = 0;
  let begun = { at: now(), usage: cpuUsage() };
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
    const seconds = (now() - begun.at) / 1_000;
    const { user, system } = cpuUsage(begun.usage);
    if (seconds > SLOW)
      yield `slow: ${data.name}, ${Math.round(seconds)} s, ${((user + system) / 1e6).toFixed(1)} core-seconds of this process\n`;
    tests = 0;
    begun = { at: now(), usage: cpuUsage() };
  }
}
