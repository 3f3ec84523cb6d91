import type { SignalDataSet, SignalDataTypeMap, SignalKeyStore } from '@whiskeysockets/baileys';

type KeyType = keyof SignalDataTypeMap;
type Tables = { [T in KeyType]: Map<string, SignalDataTypeMap[T]> };

/** Keeps the keys of one device in memory. */
export function memoryKeys(): SignalKeyStore {
  const tables: Tables = {
    'pre-key': new Map(),
    session: new Map(),
    'sender-key': new Map(),
    'sender-key-memory': new Map(),
    'app-state-sync-key': new Map(),
    'app-state-sync-version': new Map(),
    'lid-mapping': new Map(),
    'device-list': new Map(),
    tctoken: new Map(),
    'identity-key': new Map(),
  };

  function put<T extends KeyType>(type: T, data: SignalDataSet): void {
    const table: Tables[T] = tables[type];
    const entries: { [id: string]: SignalDataTypeMap[T] | null } = data[type] ?? {};
    for (const [id, value] of Object.entries(entries)) {
      if (value === null) table.delete(id);
      else table.set(id, value);
    }
  }

  return {
    get(type, ids) {
      const found: { [id: string]: SignalDataTypeMap[typeof type] } = {};
      for (const id of ids) {
        const value = tables[type].get(id);
        if (value !== undefined) found[id] = value;
      }
      return found;
    },
    set(data) {
      put('pre-key', data);
      put('session', data);
      put('sender-key', data);
      put('sender-key-memory', data);
      put('app-state-sync-key', data);
      put('app-state-sync-version', data);
      put('lid-mapping', data);
      put('device-list', data);
      put('tctoken', data);
      put('identity-key', data);
    },
  };
}
