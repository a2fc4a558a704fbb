/** Positions `from` (included) to `to` (not included), counted from 0 in ascending order. */
export interface Window {
  readonly from: number;
  readonly to: number;
}

/** Where records stand that are counted by groups: before each group, and in all. */
export class RunningSums {
  readonly total: number;
  /** Records before each group; one entry more than there are groups. */
  readonly #before: Float64Array;

  constructor(counts: ArrayLike<number>) {
    this.#before = new Float64Array(counts.length + 1);
    let sum = 0;
    for (let index = 0; index < counts.length; index += 1) {
      sum += counts[index] ?? 0;
      this.#before[index + 1] = sum;
    }
    this.total = sum;
  }

  get bytes(): number {
    return this.#before.byteLength;
  }

  /** Records before a group; of the number of groups: all. */
  before(group: number): number {
    return this.#before[group] ?? this.total;
  }

  count(group: number): number {
    return this.before(group + 1) - this.before(group);
  }

  /** The group that holds a position below the total. */
  groupAt(position: number): number {
    let low = 0;
    let high = this.#before.length - 1;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.before(middle) <= position) low = middle;
      else high = middle;
    }
    return low;
  }
}
