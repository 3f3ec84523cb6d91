import type { Member } from './member.ts';

/** Other gateways cannot reach this one; the message is one sentence for the operator. */
export class AdvertiseError extends Error {
  override readonly name = 'AdvertiseError';
}

/** The header with the cluster's secret. */
export const SECRET_HEADER = 'x-wo-secret';
/** Longest wait for the own answer, in milliseconds. */
const TIMEOUT = 5_000;

/** Makes sure that this process answers at its URL. Rejects with an {@link AdvertiseError}. */
export async function checkAdvertised(url: string, { process, secret }: Member): Promise<void> {
  const answered = await whoIsAt(url, secret);
  if (answered === undefined) {
    throw new AdvertiseError(
      `Nobody answers at ${url}, where other gateways look for this one: name a URL that reaches it with --advertise.`,
    );
  }
  if (answered !== process) {
    throw new AdvertiseError(
      `Another gateway answers at ${url}: name a URL that reaches only this one with --advertise.`,
    );
  }
}

/** Returns the id of the process that answers at a URL; undefined if no gateway of this cluster does. */
async function whoIsAt(url: string, secret: string): Promise<string | undefined> {
  try {
    const response = await fetch(`${url}/cluster/node`, {
      headers: { [SECRET_HEADER]: secret },
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT),
    });
    if (!response.ok) return undefined;
    const { id }: { id?: unknown } = JSON.parse(await response.text());
    return typeof id === 'string' ? id : undefined;
  } catch {
    return undefined;
  }
}
