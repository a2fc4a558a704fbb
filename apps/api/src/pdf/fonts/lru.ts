/** A map that forgets what was not asked for longest, once it holds `capacity` entries. */
export class Lru<K, V extends object> {
  private readonly entries = new Map<K, V>();
  private readonly capacity: number;

  constructor(capacity: number) {
    this.capacity = capacity;
  }

  /** The value under `key`, made by `make` where it is missing. */
  getOrMake(key: K, make: () => V): V {
    const known = this.entries.get(key);
    if (known !== undefined) {
      this.entries.delete(key);
      this.entries.set(key, known);
      return known;
    }
    const made = make();
    if (this.entries.size >= this.capacity) {
      for (const oldest of this.entries.keys()) {
        this.entries.delete(oldest);
        break;
      }
    }
    this.entries.set(key, made);
    return made;
  }
}
