import type { RejectedLine } from './usage-row.ts';

/** At most this many lines of one file are listed; the rest is counted, so that a ruined file needs no memory. */
const maxListed = 10_000;

/** The lines of one file that were not taken. */
export class Rejections {
  #count = 0;
  readonly #listed: RejectedLine[] = [];

  add(lines: readonly RejectedLine[]): void {
    this.#count += lines.length;
    const room = maxListed - this.#listed.length;
    if (room > 0) this.#listed.push(...lines.slice(0, room));
  }

  /** All of them. */
  get count(): number {
    return this.#count;
  }

  /** Those that are named one by one, in file order. */
  listed(): readonly RejectedLine[] {
    return this.#listed.toSorted((a, b) => a.line - b.line);
  }
}
