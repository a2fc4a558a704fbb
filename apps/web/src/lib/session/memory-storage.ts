export type KeyValueStorage = Pick<globalThis.Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** Memory with the face of `localStorage`, for browsers that refuse storage and for tests. */
export function memoryStorage(): KeyValueStorage {
  const values = new Map<string, string>();
  return {
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => void values.set(key, value),
    removeItem: (key) => void values.delete(key),
  };
}
