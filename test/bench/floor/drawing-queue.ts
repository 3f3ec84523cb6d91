/** Work that waits for its turn, one piece between two frames: what is done is seen before the next one begins. */
const waiting = new Set<() => void>();
const { port1, port2 } = new MessageChannel();

port1.onmessage = () => {
  const [next] = waiting;
  if (!next) return;
  waiting.delete(next);
  next();
  if (waiting.size > 0) requestAnimationFrame(soon);
};

export function enqueue(work: () => void): void {
  if (waiting.size === 0) soon();
  waiting.add(work);
}

function soon(): void {
  port2.postMessage(null);
}
