import type { Caller } from './caller.ts';

/** Other gateways cannot reach this one; the message is one sentence for the operator. */
export class AdvertiseError extends Error {
  override readonly name = 'AdvertiseError';
}

/** Longest wait for this process's own answer, in milliseconds. */
const TIMEOUT = 5_000;

/** Makes sure that this process answers at its URL. Rejects with an {@link AdvertiseError}. */
export async function checkAdvertised(url: string, process: string, caller: Caller): Promise<void> {
  const answered = await caller.whoIsAt(url, AbortSignal.timeout(TIMEOUT)).catch(() => undefined);
  if (answered === undefined) {
    throw new AdvertiseError(
      `No gateway of this cluster answers at ${url}, where other gateways look for this one: name a URL that reaches it with --advertise.`,
    );
  }
  if (answered !== process) {
    throw new AdvertiseError(
      `Another gateway answers at ${url}: name a URL that reaches only this one with --advertise.`,
    );
  }
}
