import type { StoreError } from './errors.ts';

/** Returns the status of a failed disk operation: 507 for a full disk, else 503. */
export function storeFailureStatus({ isFull }: StoreError): number {
  return isFull ? 507 : 503;
}

/** Says for the screen what failed, why, and what to do next. */
export function storeFailureSentence(error: StoreError): string {
  const { isFull, isLoss, code, numero } = error;
  // Trying again does not help.
  if (isLoss) {
    return `No se pueden leer las claves de ${numero} (${code}): elimina la sesión y agrégala de nuevo`;
  }
  return isFull
    ? `No hay espacio en el disco del servidor: ${failed(error)}. Libera espacio e inténtalo de nuevo`
    : `El disco del servidor falla (${code}): ${failed(error)}. Revísalo e inténtalo de nuevo`;
}

function failed({ task, numero }: StoreError): string {
  switch (task) {
    case 'start':
      return `no se ha podido guardar la sesión de ${numero}`;
    case 'delete':
      return `la sesión de ${numero} no se ha eliminado`;
    case 'erase':
      return `no se han podido borrar las claves de ${numero}`;
    case 'empty-journal':
      return `lo borrado de ${numero} todavía se puede leer en él`;
    case 'read-credentials':
    case 'read-keys':
      return `no se han podido leer las claves de ${numero}`;
    case 'write-keys':
      return `no se han podido guardar las claves de ${numero}`;
  }
}
