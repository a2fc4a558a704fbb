/** Things worth keeping in this process, the least used forgotten first when they become too many. */
export class Known<T extends { readonly weight: number }> {
  readonly #entries = new Map<string, T>();
  readonly #limit: number;
  #weight = 0;

  /** @param limit sum of weights that is kept at most */
  constructor(limit: number) {
    this.#limit = limit;
  }

  get(key: string): T | undefined {
    const found = this.#entries.get(key);
    if (found !== undefined) {
      this.#entries.delete(key);
      this.#entries.set(key, found);
    }
    return found;
  }

  set(key: string, value: T): void {
    this.forget(key);
    this.#entries.set(key, value);
    this.#weight += value.weight;
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
