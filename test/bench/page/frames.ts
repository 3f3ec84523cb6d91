interface Waiting {
  readonly since: number;
  readonly until: () => boolean;
  readonly resolve: (time: number) => void;
}

const waiting = new Set<Waiting>();
const { port1, port2 } = new MessageChannel();
let frameStart = 0;
let running = false;

port1.onmessage = () => {
  const end = performance.now();
  for (const wait of waiting) {
    // What came after the beginning of a frame may have been done after it was painted.
    if (wait.since > frameStart || !wait.until()) continue;
    waiting.delete(wait);
    wait.resolve(end);
  }
  running = waiting.size > 0;
  if (running) requestAnimationFrame(frame);
};

function frame(): void {
  frameStart = performance.now();
  // A frame is one task: a message posted in it arrives when it has been painted.
  port2.postMessage(null);
}

/**
 * When what is asked for is on the screen: the end of the first frame in which it holds, of those that began after
 * `since`. In milliseconds of the page's clock, of which 0 is the beginning of the navigation.
 */
export function painted(since: number, until: () => boolean): Promise<number> {
  return new Promise((resolve) => {
    waiting.add({ since, until, resolve });
    if (running) return;
    running = true;
    requestAnimationFrame(frame);
  });
}
