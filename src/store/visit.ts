/** Until when the operator has seen what dropped, kept in the browser. */

type Kept = 'sessionStorage' | 'localStorage';

export type Visit = ReturnType<typeof openVisit>;

/**
 * Opens a visit, which lasts as long as its tab: the storage of the tab has its moment through a reload. The next visit begins
 * where this one ends.
 *
 * @param apiBase - of the server: panels of several may share an origin
 */
export function openVisit(apiBase: string) {
  const key = `whatsapp-operadores ${apiBase}`;
  const read = (kept: Kept) => attempt(() => globalThis[kept].getItem(key));
  const keep = (kept: Kept, moment: number) => attempt(() => globalThis[kept].setItem(key, `${moment}`));
  // A clock that was wrong must not hide what drops from now on.
  const seen = Math.min(Number(read('sessionStorage') ?? read('localStorage')) || 0, Date.now());
  keep('sessionStorage', seen);
  return {
    apiBase,
    /** In milliseconds since 1970; 0 on the first visit. */
    seen,
    look: () => keep('sessionStorage', Date.now()),
    end: () => keep('localStorage', Date.now()),
  };
}

/** Browsers refuse in their own ways to store anything: then a visit begins anew with each load. */
function attempt<Value>(action: () => Value): Value | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}
