import { type Cipher, reseal } from './cipher.ts';
import type { Sql } from './database.ts';
import type { Told } from './row.ts';
import { toldPlace } from './told-store.ts';

/** Returns what a channel of the gateways has told; undefined before the first time. */
export async function readTold(sql: Sql, channel: string): Promise<Told | undefined> {
  const [row] = await sql<Told>`SELECT text, version FROM told WHERE channel = ${channel}`;
  return row;
}

/** Replaces what a channel has told. Resolves with false if another gateway has done so. */
export async function replaceTold(
  sql: Sql,
  channel: string,
  { text, version }: Told,
  before = '',
): Promise<boolean> {
  const replaced = await sql`
    INSERT INTO told (channel, text, version) VALUES (${channel}, ${text}, ${version})
    ON CONFLICT (channel) DO UPDATE SET text = excluded.text, version = excluded.version
    WHERE told.version IN (${before}, excluded.version) RETURNING 1`;
  return replaced.length > 0;
}

/** Seals what was told with another cipher. */
export async function resealTold(tx: Sql, from: Cipher, to: Cipher): Promise<void> {
  for (const { channel, text } of await tx<Told & { channel: string }>`SELECT channel, text FROM told`) {
    await tx`UPDATE told SET text = ${reseal(from, to, text, toldPlace(channel))} WHERE channel = ${channel}`;
  }
}
