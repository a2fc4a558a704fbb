import type { RunEnd } from '../import-run.ts';
import { type Cause, remedyOf } from './causes.ts';
import type { QuarantineEntry } from './report.ts';

/** Something that was not taken, with what is to be done about it. */
export const entryOf = (
  file: string,
  line: number | null,
  cause: Cause,
  reason: string,
): QuarantineEntry => ({
  file,
  line,
  reason,
  cause,
  remedy: remedyOf(cause),
});

/** All of a file that was not taken, as far as it is named one by one. */
export function entriesOf(
  file: string,
  { listed, quarantined }: Pick<RunEnd, 'listed' | 'quarantined'>,
): readonly QuarantineEntry[] {
  const entries = listed.map(({ line, reason, cause }) => entryOf(file, line, cause, reason));
  const more = quarantined - entries.length;
  const last = listed.at(-1);
  if (more === 0 || last === undefined) return entries;
  return [...entries, entryOf(file, null, last.cause, `and ${more} more lines`)];
}
