/** When pushes reach the page, before anything on it has seen them. */

type Listener = (time: number) => void;

const listeners = new Set<Listener>();

export function onPush(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Has to be there before the page opens its socket. */
export function watchSockets(): void {
  globalThis.WebSocket = class extends WebSocket {
    constructor(url: string | URL, protocols?: string | string[]) {
      super(url, protocols);
      this.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
        if (typeof data !== 'string' || !data.startsWith('42["session:')) return;
        const time = performance.now();
        for (const listener of listeners) listener(time);
      });
    }
  };
}
