/** How the title of a test names rows, at its end: `it('adds the fee [payments.public.total]')`. */
import type { Row } from './row.ts';

/** A title taken apart: what it says, and the names in the bracket at its end. */
interface Title {
  readonly says: string;
  readonly names: readonly string[];
}

/** Names are divided by commas; a comma in braces divides what the braces offer. */
export function readTitle(title: string): Title {
  const bracket = / \[([^[\]]+)\]$/.exec(title);
  if (bracket === null) return { says: title, names: [] };
  const names = (bracket[1] ?? '').split(/,(?![^{]*\})/).map((name) => name.trim());
  return { says: title.slice(0, bracket.index), names };
}

/** `a.{b,c.d}.e` is `a.b.e` and `a.c.d.e`, as in a shell. */
function alternatives(name: string): string[] {
  const braces = /\{([^{}]*)\}/.exec(name);
  if (braces === null) return [name];
  const [before, after] = [name.slice(0, braces.index), name.slice(braces.index + braces[0].length)];
  return (braces[1] ?? '').split(',').flatMap((one) => alternatives(before + one.trim() + after));
}

/**
 * The rows a name stands for. A star at the end stands for all rows that begin so. They must be of one kind, so that
 * no row which is added later counts as proven by a test of something else.
 * @returns the rows, and one line for each part that is wrong
 */
export function rowsNamed(
  name: string,
  rows: ReadonlyMap<string, Row>,
): { rows: readonly Row[]; faults: readonly string[] } {
  const found: Row[] = [];
  const faults: string[] = [];
  for (const one of alternatives(name)) {
    const matching = one.endsWith('*')
      ? [...rows.values()].filter(({ id }) => id.startsWith(one.slice(0, -1)))
      : [rows.get(one)].filter((row) => row !== undefined);
    if (matching.length === 0) faults.push(`names ${one}, which is no row`);
    else if (new Set(matching.map(({ kind }) => kind)).size > 1) {
      faults.push(`names ${one}, which are rows of several kinds: name each`);
    } else found.push(...matching);
  }
  return { rows: found, faults };
}
