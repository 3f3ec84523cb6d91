/** Forgets what is known of sessions that a server does not list any more. */
export function keepOnly(known: Map<string, unknown>, listed: readonly { readonly name: string }[]): void {
  const names = new Set(listed.map(({ name }) => name));
  for (const name of known.keys()) if (!names.has(name)) known.delete(name);
}
