import type { Need, NeedKind, Sum } from '@counterfoil/contract/operator/running/today.ts';

/** How many of a group are listed. */
export const LISTED = 25;

/** What needs a person, of one group. */
export interface Needs {
  readonly count: number;
  readonly sums: readonly Sum[];
  readonly oldestAt: Date | null;
  readonly items: readonly Omit<Need, 'state'>[];
}

/** A thing without money. */
export interface PlainNeed {
  readonly kind: NeedKind;
  readonly id: string;
  readonly title: string;
  readonly about?: string | null;
  readonly reason?: string | null;
  /** How many of its kind it stands for; one unless given. */
  readonly count?: number;
  readonly at: Date;
  readonly path: string;
}

/** Things without money, as a group. @param total how many there are, where not all are listed */
export const plainNeeds = (all: readonly PlainNeed[], total = all.length): Needs => ({
  count: total,
  sums: [],
  oldestAt: all.reduce<Date | null>((first, { at }) => (first === null || at < first ? at : first), null),
  items: all
    .slice(0, LISTED)
    .map(({ kind, id, title, about = null, reason = null, count = 1, at, path }) => ({
      kind,
      id,
      title,
      about,
      reason,
      amount: null,
      currency: null,
      count,
      at: at.toISOString(),
      path,
    })),
});
