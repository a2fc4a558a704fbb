import type { RejectedLine } from '../usage/row.ts';
import type { Cause } from './causes.ts';

/** At most this many lines of one file are listed; the rest is counted, so that a ruined file needs no memory. */
const maxListed = 10_000;

/** The lines of one file that were not taken. */
export class Rejections {
  #count = 0;
  readonly #causes = new Map<Cause, number>();
  readonly #listed: RejectedLine[] = [];

  add(lines: readonly RejectedLine[]): void {
    this.#count += lines.length;
    for (const { cause } of lines) this.#causes.set(cause, (this.#causes.get(cause) ?? 0) + 1);
    for (const { line, reason, cause, identity } of lines.slice(0, maxListed - this.#listed.length))
      this.#listed.push({ line, reason, cause, ...(identity === undefined ? {} : { identity }) });
  }

  /** All of them. */
  get count(): number {
    return this.#count;
  }

  /** All of them, by cause. */
  get causes(): ReadonlyMap<Cause, number> {
    return this.#causes;
  }

  /** Those that are named one by one, in file order. */
  listed(): readonly RejectedLine[] {
    return this.#listed.toSorted((a, b) => a.line - b.line);
  }
}
