/** Returns why the gateway cannot listen, as a sentence for the operator; undefined for another error. */
export function listenSentence(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  const { address, hostname, port }: Record<string, unknown> = { ...error };
  switch (error.code) {
    case 'EADDRINUSE':
      return `Port ${port} is in use: stop the program that uses it, or choose another with --port.`;
    case 'EACCES':
      if (port === undefined) return undefined;
      return `Port ${port} needs more privileges: choose one above 1023 with --port.`;
    case 'EADDRNOTAVAIL':
      return `${address} is not an address of this machine: choose another with --host.`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `The name ${hostname} cannot be resolved: choose another with --host.`;
    default:
      return undefined;
  }
}
