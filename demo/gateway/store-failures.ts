import type { StoreError } from './errors.ts';

/** The status for what the disk did not do: whether somebody has to make room or mend something. */
export function storeFailureStatus({ isFull }: StoreError): number {
  return isFull ? 507 : 503;
}

/** Says for the screen what the disk did not do, why, and what to do next. */
export function storeFailureSentence(error: StoreError): string {
  const { isFull, isLoss, code, numero } = error;
  // Trying again is of no use there.
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
