import type { Condition, Equal, OneOf } from './lookups.ts';
import type { Run } from './scope.ts';
import type { FromItem } from './syntax.ts';
import type { Place, Table } from './table.ts';
import { keyOf, type Row, type Value } from './values.ts';

/** One item of `from`, ready. */
export interface Joined {
  readonly slot: number;
  readonly join: FromItem['join'];
  /** Of a base table; of anything else `rows`. */
  readonly table: Table | undefined;
  readonly rows: ((run: Run) => readonly Row[]) | undefined;
  /** What `rows` reads of other items. */
  readonly slots: ReadonlySet<number>;
  /** Of an outer join. */
  readonly on: readonly Condition[];
}

/** Goes through all combinations that meet the conditions until `emit` says that it has enough. */
export type Walk = (run: Run, emit: () => boolean) => boolean;

interface Level {
  readonly item: Joined;
  readonly candidates: (run: Run) => Iterable<Place>;
  /** Conditions of the join, and for outer joins those that come after it. */
  readonly filters: readonly Condition[];
  readonly after: readonly Condition[];
}

const holds = (conditions: readonly Condition[], run: Run): boolean => {
  for (const { ready } of conditions) if (ready.evaluate(run) !== true) return false;
  return true;
};

/** Nested loops with look-ups: inner joins in the order that can use keys best, outer joins as they stand. */
export function planJoins(items: readonly Joined[], conditions: readonly Condition[]): Walk {
  const own = new Set(items.map(({ slot }) => slot));
  const placed = new Set<number>();
  const left = [...items];
  const pending = new Set(conditions);
  const levels: Level[] = [];
  const isKnown = (slots: ReadonlySet<number>, also?: number) =>
    [...slots].every((slot) => !own.has(slot) || placed.has(slot) || slot === also);
  const first = [...pending].filter(({ ready }) => isKnown(ready.slots));
  for (const one of first) pending.delete(one);
  while (left.length > 0) {
    const item = next(left, [...pending], isKnown);
    left.splice(left.indexOf(item), 1);
    const isInner = item.join === 'inner';
    const conditionsHere = isInner
      ? [...pending].filter(({ ready }) => isKnown(ready.slots, item.slot))
      : [...item.on];
    const { candidates, used } = access(item, conditionsHere, isKnown);
    placed.add(item.slot);
    for (const one of conditionsHere) pending.delete(one);
    const filters = conditionsHere.filter((one) => !used.has(one));
    const after = isInner ? [] : [...pending].filter(({ ready }) => isKnown(ready.slots));
    for (const one of after) pending.delete(one);
    levels.push({ item, candidates, filters, after });
  }
  const last = levels.at(-1);
  const walk: Walk = (run, emit) => {
    if (!holds(first, run)) return false;
    const seen = last?.item.join === 'full' ? new Set<Row>() : undefined;
    if (step(levels, 0, run, emit, seen)) return true;
    return seen === undefined || last === undefined ? false : unmatched(levels, last, seen, run, emit);
  };
  return walk;
}

/** The inner join that can be looked up best, as long as no outer join stands before it. */
function next(
  left: readonly Joined[],
  pending: readonly Condition[],
  isKnown: (slots: ReadonlySet<number>, also?: number) => boolean,
): Joined {
  const outer = left.findIndex(({ join }) => join !== 'inner');
  const free = left.slice(0, outer < 0 ? left.length : Math.max(outer, 1));
  let best: { item: Joined; worth: number } | undefined;
  for (const item of free) {
    if (!isKnown(item.slots)) continue;
    const usable = usableFor(item, pending, isKnown);
    const strong = usable.equals.filter(({ equal }) => !equal.isWeak).length;
    const worth = strong * 10 + (usable.oneOf === undefined ? 0 : 5) + usable.equals.length;
    if (best === undefined || worth > best.worth) best = { item, worth };
  }
  const [first] = free;
  if (first === undefined) throw new Error('nothing is left to join');
  return best?.item ?? first;
}

interface Usable {
  readonly equals: readonly { readonly equal: Equal; readonly condition: Condition }[];
  readonly oneOf: { readonly oneOf: OneOf; readonly condition: Condition } | undefined;
}

function usableFor(
  { slot }: Joined,
  conditions: readonly Condition[],
  isKnown: (slots: ReadonlySet<number>) => boolean,
): Usable {
  const equals = conditions.flatMap((condition) => {
    const equal = condition.equals.find((one) => one.slot === slot && isKnown(one.value.slots));
    return equal === undefined ? [] : [{ equal, condition }];
  });
  const found = conditions.find(({ oneOf }) => oneOf?.slot === slot && isKnown(oneOf.slots));
  return {
    equals,
    oneOf: found?.oneOf === undefined ? undefined : { oneOf: found.oneOf, condition: found },
  };
}

/** How the rows of an item are found: by an index where a condition allows it. */
function access(
  item: Joined,
  conditions: readonly Condition[],
  isKnown: (slots: ReadonlySet<number>) => boolean,
): { candidates: (run: Run) => Iterable<Place>; used: ReadonlySet<Condition> } {
  const { table, rows } = item;
  if (table === undefined) {
    return { candidates: (run) => (rows?.(run) ?? []).map((row) => ({ row })), used: new Set() };
  }
  const usable = usableFor(item, conditions, isKnown);
  const strong = usable.equals.filter(({ equal }) => !equal.isWeak);
  // A flag is worth an index of its own where the other columns leave many rows.
  const isOne = table.isKey([
    ...strong.map(({ equal }) => equal.column),
    ...(usable.oneOf?.oneOf.columns ?? []),
  ]);
  const flags = isOne ? [] : usable.equals.filter(({ equal }) => equal.isFlag);
  const isFound = strong.length + flags.length > 0 || usable.oneOf !== undefined;
  const chosen = isFound ? [...strong, ...flags] : usable.equals.slice(0, 1);
  const equals = [...new Map(chosen.map((one) => [one.equal.column, one])).values()].sort((a, b) =>
    a.equal.column < b.equal.column ? -1 : 1,
  );
  const { oneOf } = usable;
  const columns = [...equals.map(({ equal }) => equal.column), ...(oneOf?.oneOf.columns ?? [])];
  if (columns.length === 0) return { candidates: () => table.places, used: new Set() };
  const index = table.indexOn(columns);
  const fixed = (run: Run) => keyFrom(equals.map(({ equal }) => equal.value.evaluate(run)));
  const used = new Set(
    [...equals, ...(oneOf === undefined ? [] : [oneOf])].map(({ condition }) => condition),
  );
  if (oneOf === undefined) {
    return {
      used,
      candidates: (run) => {
        const key = fixed(run);
        return (key === undefined ? undefined : index.at(key)) ?? [];
      },
    };
  }
  const prefix = equals.length > 0;
  return {
    used,
    *candidates(run) {
      const start = prefix ? fixed(run) : '';
      if (start === undefined) return;
      for (const values of oneOf.oneOf.values(run)) {
        const rest = keyFrom(values);
        if (rest !== undefined) yield* index.at(prefix ? `${start}\u0000${rest}` : rest) ?? [];
      }
    },
  };
}

function keyFrom(values: readonly Value[]): string | undefined {
  let key: string | undefined;
  for (const value of values) {
    if (value === null) return undefined;
    key = key === undefined ? keyOf(value) : `${key}\u0000${keyOf(value)}`;
  }
  return key;
}

function step(
  levels: readonly Level[],
  at: number,
  run: Run,
  emit: () => boolean,
  seen: Set<Row> | undefined,
): boolean {
  const level = levels[at];
  if (level === undefined) return emit();
  const { item, filters, after } = level;
  let isMatched = false;
  for (const place of level.candidates(run)) {
    run.rows[item.slot] = place.row;
    run.places[item.slot] = place;
    if (!holds(filters, run)) continue;
    isMatched = true;
    if (item.join === 'full') seen?.add(place.row);
    if (holds(after, run) && step(levels, at + 1, run, emit, seen)) return true;
  }
  if (isMatched || item.join === 'inner') return false;
  run.rows[item.slot] = null;
  run.places[item.slot] = undefined;
  return holds(after, run) && step(levels, at + 1, run, emit, seen);
}

/** Rows of the last item of a full join that nothing matched. */
function unmatched(
  levels: readonly Level[],
  { item, after }: Level,
  seen: ReadonlySet<Row>,
  run: Run,
  emit: () => boolean,
): boolean {
  for (const { item: other } of levels) run.rows[other.slot] = null;
  const rows =
    item.table === undefined ? (item.rows?.(run) ?? []) : [...item.table.places].map(({ row }) => row);
  for (const row of rows) {
    if (seen.has(row)) continue;
    run.rows[item.slot] = row;
    if (holds(after, run) && emit()) return true;
  }
  return false;
}
