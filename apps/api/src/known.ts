interface Entry<T> {
  readonly value: T;
  readonly weight: number;
}

/** Things worth keeping in this process, the least used forgotten first when they become too many. */
export class Known<T> {
  readonly #entries = new Map<string, Entry<T>>();
  readonly #limit: number;
  #weight = 0;

  /** @param limit sum of weights that is kept at most */
  constructor(limit: number) {
    this.#limit = limit;
  }

  get(key: string): T | undefined {
    const found = this.#entries.get(key);
    if (found === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, found);
    return found.value;
  }

  /** Again for what has grown. @param weight what it has by now */
  set(key: string, value: T, weight: number): void {
    this.forget(key);
    this.#entries.set(key, { value, weight });
    this.#weight += weight;
    for (const oldest of this.#entries.keys()) {
      if (this.#weight <= this.#limit) break;
      this.forget(oldest);
    }
  }

  forget(key: string): void {
    const found = this.#entries.get(key);
    if (found === undefined) return;
    this.#entries.delete(key);
    this.#weight -= found.weight;
  }
}
