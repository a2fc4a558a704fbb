import { type KeyValueStorage, memoryStorage } from './memory-storage.ts';

let storage: KeyValueStorage | undefined;

/** `sessionStorage`: what is kept for the life of this tab; memory where the browser refuses it. */
export const tabStorage = (): KeyValueStorage => {
  storage ??= find();
  return storage;
};

function find(): KeyValueStorage {
  try {
    const found = globalThis.sessionStorage;
    found.setItem('counterfoil.probe', '1');
    found.removeItem('counterfoil.probe');
    return found;
  } catch {
    return memoryStorage();
  }
}
