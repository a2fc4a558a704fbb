import type { Db } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';
import { type CountedDay, countByDay } from './counts.ts';
import { type Part, partOf } from './part.ts';
import type { Positions, PositionsInput } from './positions.ts';
import { RunningSums, type Window } from './running-sums.ts';

export interface DatePositions extends Positions {
  partsOf(db: Db, window: Window): Promise<Part[]>;
}

/** In order of time: the days of a window are found by running sums over days, and only these are read. */
export async function datePositions(db: Db, { scope, state, where }: PositionsInput): Promise<DatePositions> {
  return positionsByDay({ state, where }, await countByDay(db, scope, state));
}

/** The same, with the days counted already. */
export function positionsByDay(
  { state, where }: Pick<PositionsInput, 'state' | 'where'>,
  days: readonly CountedDay[],
): DatePositions {
  const sums = new RunningSums(days.map(({ n }) => n));
  const starts = Float64Array.from(days, ({ from }) => from.getTime());
  const startOf = (day: number) => (day < starts.length ? new Date(starts[day] ?? 0) : state.filter.until);
  return {
    total: sums.total,
    bytes: sums.bytes + starts.byteLength,
    async partsOf(_db, { from, to }) {
      const first = sums.groupAt(from);
      const last = sums.groupAt(to - 1);
      const before = sums.before(first);
      const within = sql<boolean>`${where} and u.started_at >= ${startOf(first)} and u.started_at < ${startOf(last + 1)}`;
      return [
        partOf({ where: within }, sums.before(last + 1) - before, { from: from - before, to: to - before }),
      ];
    },
  };
}
