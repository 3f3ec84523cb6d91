/** Waits for a process; prints under that name whether it passed, and after how long. Resolves with its exit code. */
export async function timed(name, child) {
  const started = performance.now();
  const code = await new Promise((resolve, reject) => {
    child.on('error', reject);
    // The code is null after a signal.
    child.on('close', (exit) => resolve(exit ?? 1));
  });
  const seconds = Math.round((performance.now() - started) / 1_000);
  console.log(`${name} ${code === 0 ? 'passed' : 'FAILED'} after ${seconds} s`);
  return code;
}
