import type { Db } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';
import { isOneOf, usageCondition } from '../filter.ts';
import { type CountedGroups, countByLine, countByType } from './counts.ts';
import { type DatePositions, datePositions } from './date-positions.ts';
import { type Part, partOf } from './part.ts';
import type { Positions, PositionsInput } from './positions.ts';
import { RunningSums, type Window } from './running-sums.ts';

/** Which groups there are, and how one of them becomes a filter. */
interface Grouping {
  readonly column: 'service_item_id' | 'record_type_id';
  readonly groups: CountedGroups;
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
  const { ids } = groups;
  const sums = new RunningSums(groups.counts);
  const large = new Map<number, DatePositions>();
  let bytes = sums.bytes + ids.bytes;
  const isIn = (those: readonly string[]) =>
    sql<boolean>`${input.where} and ${isOneOf(sql.ref(`u.${column}`), those)}`;
  const groupsBetween = (first: number, last: number) => {
    const inside = Array.from({ length: last + 1 - first }, (_, place) => ids.of(first + place));
    const those = inside.flat();
    const places = inside.flatMap((group, place) => group.map(() => place));
    const place = sql`(${places}::int[])[array_position(${those}::uuid[], ${sql.ref(`u.${column}`)})]`;
    return { where: isIn(those), by: place };
  };
  const oneGroup = async (db: Db, group: number, window: Window): Promise<Part[]> => {
    const n = sums.count(group);
    if (n <= input.options.walkedGroup) return [partOf({ where: isIn(ids.of(group)) }, n, window)];
    const known = large.get(group);
    if (known !== undefined) return known.partsOf(db, window);
    const inside = await positionsInside(db, input, column, ids.of(group));
    if (!large.has(group)) bytes += inside.bytes;
    large.set(group, inside);
    return inside.partsOf(db, window);
  };
  return {
    total: sums.total,
    get bytes() {
      return bytes;
    },
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
  input: PositionsInput,
  column: Grouping['column'],
  ids: readonly string[],
): Promise<DatePositions> {
  const [lineId = ''] = ids;
  const group = column === 'record_type_id' ? { recordTypeIds: ids } : { serviceItemId: lineId };
  const state = { ...input.state, filter: { ...input.state.filter, ...group } };
  return datePositions(db, { ...input, state, where: usageCondition(input.scope, state.filter) });
}
