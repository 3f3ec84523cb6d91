import assert from 'node:assert/strict';
import type { Gateway } from '../../src/gateway.ts';

/** Returns the values of the gateway's own series, without the prefix of their names. */
export async function scrape(
  { url }: Gateway,
  headers: Record<string, string> = {},
): Promise<Map<string, number>> {
  const response = await fetch(`${url}/metrics`, { headers });
  assert.equal(response.status, 200);
  assert.match(response.headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/);
  const lines = (await response.text()).split('\n').filter((line) => line.startsWith('whatsapp_gateway_'));
  return new Map(
    lines.map((line) => {
      const [name = '', value] = line.slice('whatsapp_gateway_'.length).split(' ');
      return [name, Number(value)];
    }),
  );
}
