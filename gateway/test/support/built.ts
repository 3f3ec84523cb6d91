const DIST = new URL('../../dist/gateway/', import.meta.url);

/**
 * Returns the URL of what the gateway's build made of a module, by its path in the gateway without an extension: Node runs
 * it as it is, which costs a process less than to compile it.
 */
export function built(module: string): string {
  return new URL(`${module}.js`, DIST).href;
}

/** Returns the URL of a module with this code, for a process to import at its start. */
export const inline = (code: string): string => `data:text/javascript,${encodeURIComponent(code)}`;
