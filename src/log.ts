/** Logs an error to the console of the host page, where this package is one of many. */
export function log(...what: unknown[]): void {
  console.error('whatsapp-operadores:', ...what);
}
