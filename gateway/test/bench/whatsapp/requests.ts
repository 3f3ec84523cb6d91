/** Below every burst of the gateway's limits. */
const REQUESTS_PER_CLIENT = 100;

/** Gets JSON from a gateway that trusts this machine as a proxy, as the client of the request with this index. */
export async function get(url: string, path: string, index: number): Promise<unknown> {
  const answer = await fetch(url + path, { headers: clientOf(index) });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

/** Posts JSON, and returns the status of the answer; 0 if there is none. */
export async function post(url: string, path: string, index: number, body: unknown): Promise<number> {
  const headers = { ...clientOf(index), 'Content-Type': 'application/json' };
  try {
    const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    await answer.arrayBuffer();
    return answer.status;
  } catch {
    return 0;
  }
}

function clientOf(index: number): Record<string, string> {
  return { 'X-Forwarded-For': `10.0.0.${1 + (Math.floor(index / REQUESTS_PER_CLIENT) % 250)}` };
}
