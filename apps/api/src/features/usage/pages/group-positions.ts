import type { Db } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';
import { isOneOf, usageCondition } from '../filter.ts';
import { type CountedGroup, countByLine, countByType } from './counts.ts';
import { type DatePositions, datePositions } from './date-positions.ts';
import { type Part, partOf } from './part.ts';
import type { Positions, PositionsInput } from './positions.ts';
import { RunningSums, type Window } from './running-sums.ts';

/** Which groups there are, and how one of them becomes a filter. */
interface Grouping {
  readonly column: 'service_item_id' | 'record_type_id';
  readonly groups: readonly CountedGroup[];
}

/** In the order of something of the line: equal ones by the line's name and id, inside a line by time. */
export async function linePositions(db: Db, input: PositionsInput, column: string): Promise<Positions> {
  const groups = await countByLine(db, input.scope, input.state, column);
  return groupPositions(input, { column: 'service_item_id', groups });
}

/** In the order of the record type's description, inside a type by time. */
export async function typePositions(db: Db, input: PositionsInput): Promise<Positions> {
  const groups = await countByType(db, input.scope, input.state);
  return groupPositions(input, { column: 'record_type_id', groups });
}

function groupPositions(input: PositionsInput, { column, groups }: Grouping): Positions {
  const sums = new RunningSums(groups.map(({ n }) => n));
  const large = new Map<number, DatePositions>();
  const whereOf = (first: number, last: number) => {
    const ids = groups.slice(first, last + 1).flatMap((group) => group.ids);
    return sql<boolean>`${input.where} and ${isOneOf(sql.ref(`u.${column}`), ids)}`;
  };
  const groupsBetween = (first: number, last: number) => {
    const inside = groups.slice(first, last + 1);
    const ids = inside.flatMap((group) => group.ids);
    const places = inside.flatMap((group, place) => group.ids.map(() => place));
    const place = sql`(${places}::int[])[array_position(${ids}::uuid[], ${sql.ref(`u.${column}`)})]`;
    return { where: whereOf(first, last), by: place };
  };
  const oneGroup = async (db: Db, group: number, window: Window): Promise<Part[]> => {
    const n = sums.count(group);
    if (n <= input.options.walkedGroup) return [partOf({ where: whereOf(group, group) }, n, window)];
    const inside = large.get(group) ?? (await positionsInside(db, input, column, groups[group]?.ids ?? []));
    large.set(group, inside);
    return inside.partsOf(db, window);
  };
  return {
    total: sums.total,
    weight: 8 * groups.length + 10,
    async partsOf(db, { from, to }) {
      const first = sums.groupAt(from);
      const last = sums.groupAt(to - 1);
      const start = sums.before(first);
      if (first === last) return oneGroup(db, first, { from: from - start, to: to - start });
      const tail = { from: from - start, to: sums.count(first) };
      const head = { from: 0, to: to - sums.before(last) };
      const between = sums.before(last) - sums.before(first + 1);
      return [
        ...(await oneGroup(db, first, tail)),
        ...(between === 0
          ? []
          : [partOf(groupsBetween(first + 1, last - 1), between, { from: 0, to: between })]),
        ...(await oneGroup(db, last, head)),
      ];
    },
  };
}

/** Positions in time inside one large group. */
function positionsInside(
  db: Db,
  { scope, state, options }: PositionsInput,
  column: Grouping['column'],
  ids: readonly string[],
): Promise<DatePositions> {
  const [lineId = ''] = ids;
  const group = column === 'record_type_id' ? { recordTypeIds: ids } : { serviceItemId: lineId };
  const inside = { ...state, filter: { ...state.filter, ...group } };
  return datePositions(db, { scope, options, state: inside, where: usageCondition(scope, inside.filter) });
}
