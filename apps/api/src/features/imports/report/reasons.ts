import type { ImportPreview } from '@counterfoil/contract/operator/imports/admin-imports.ts';
import { type Cause, remedyOf } from './causes.ts';

/** What is known of one that was not taken. */
interface Refused {
  readonly line: number | null;
  readonly cause: Cause;
  readonly reason: string;
}

/** Why things are not taken, most first, each with the words of the first one. */
export const reasonsOf = (
  counts: ReadonlyMap<Cause, number>,
  listed: readonly Refused[],
): ImportPreview['reasons'] =>
  [...counts]
    .toSorted(([, one], [, other]) => other - one)
    .map(([cause, count]) => {
      const first = listed.find((one) => one.cause === cause);
      return {
        cause,
        count,
        reason: first?.reason ?? '',
        line: first?.line ?? null,
        remedy: remedyOf(cause),
      };
    });
