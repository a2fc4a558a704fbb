import type { CatalogueKey, CatalogueTable } from './catalogue.ts';
import type { TableClass } from './table-classes.ts';

/** What is done with one table, and the statement that does it; null where nothing is to be done. */
export interface DistributionStep {
  readonly table: string;
  readonly tableClass: TableClass;
  readonly statement: string | null;
}

/** How the tables are spread over machines. */
export interface DistributionPlan {
  /** Every table once: reference tables, then distributed ones, each after those it points to, then what stays. */
  readonly steps: readonly DistributionStep[];
  /** Frees the room the rows took on the first machine before they were spread. */
  readonly tidying: readonly string[];
  /** What Citus would refuse, or what nobody meant. With any of these nothing may be run. */
  readonly faults: readonly string[];
}

/** Rows of one customer lie together, with this table's. */
const ANCHOR = 'customer';
const DISTRIBUTED_BY = 'customer_id';

/**
 * Plans how to spread the tables by Citus. Tables that are where they belong have no statement, so that an interrupted
 * run is carried on by planning again. Foreign keys stay: Citus takes them when what they point to was placed before.
 */
export function planDistribution(
  catalogue: readonly CatalogueTable[],
  classes: Readonly<Record<string, TableClass>>,
): DistributionPlan {
  const known = catalogue.filter(({ name }) => classes[name] !== undefined);
  const of = (tableClass: TableClass) => known.filter(({ name }) => classes[name] === tableClass);
  const reference = parentsFirst(of('reference'));
  const distributed = parentsFirst(of('distributed'));
  const step = (table: CatalogueTable, tableClass: TableClass): DistributionStep => ({
    table: table.name,
    tableClass,
    statement: table.placement === placementOf(tableClass) ? null : statementOf(table.name, tableClass),
  });
  return {
    steps: [
      ...reference.map((table) => step(table, 'reference')),
      ...distributed.map((table) => step(table, 'distributed')),
      ...of('lookUp').map(({ name }) => ({ table: name, tableClass: 'lookUp' as const, statement: null })),
    ],
    tidying: [...reference, ...distributed]
      .reverse()
      .map(({ name }) => `select truncate_local_data_after_distributing_table('public.${name}')`),
    faults: [
      ...catalogue
        .filter(({ name }) => classes[name] === undefined)
        .map(({ name }) => `${name} has no class`),
      ...Object.keys(classes)
        .filter((name) => !catalogue.some((table) => table.name === name))
        .map((name) => `${name} is not there`),
      ...known.flatMap((table) => faultsOf(table, classes)),
    ],
  };
}

const placementOf = (tableClass: TableClass) => (tableClass === 'lookUp' ? 'local' : tableClass);

function statementOf(table: string, tableClass: TableClass): string | null {
  if (tableClass === 'lookUp') return null;
  if (tableClass === 'reference') return `select create_reference_table('public.${table}')`;
  const beside = table === ANCHOR ? 'none' : `public.${ANCHOR}`;
  return `select create_distributed_table('public.${table}', '${DISTRIBUTED_BY}', colocate_with => '${beside}')`;
}

/** Orders tables so that each comes after those its foreign keys name; by name otherwise, the anchor first. */
function parentsFirst(tables: readonly CatalogueTable[]): readonly CatalogueTable[] {
  const byName = new Map(tables.map((table) => [table.name, table]));
  const done = new Set<CatalogueTable>();
  const visit = (table: CatalogueTable, above: ReadonlySet<string>): void => {
    if (done.has(table) || above.has(table.name)) return;
    for (const { target } of table.keys) {
      const parent = target === null ? undefined : byName.get(target);
      if (parent !== undefined) visit(parent, new Set([...above, table.name]));
    }
    done.add(table);
  };
  const sorted = [...tables].sort((a, b) => a.name.localeCompare(b.name));
  for (const table of sorted.filter(({ name }) => name === ANCHOR)) visit(table, new Set());
  for (const table of sorted) visit(table, new Set());
  return [...done];
}

function faultsOf(table: CatalogueTable, classes: Readonly<Record<string, TableClass>>): readonly string[] {
  const tableClass = classes[table.name];
  const { name, keys, placement, distributedBy } = table;
  const faults = keys.flatMap((key) =>
    keyFaults(table, key, classes).map((why) => `${name}: ${key.name} ${why}`),
  );
  const isSpread = tableClass !== 'lookUp';
  if (isSpread)
    faults.push(...table.triggers.map((trigger) => `${name}: has the trigger or rule ${trigger}`));
  if (isSpread)
    faults.push(...table.sequences.map((column) => `${name}: ${column} is filled from a sequence`));
  if (isSpread && !keys.some((key) => key.kind === 'primary')) faults.push(`${name}: has no primary key`);
  if (table.isPartitioned && tableClass === 'reference') faults.push(`${name}: is partitioned`);
  if (placement !== 'local' && placement !== placementOf(tableClass ?? 'lookUp')) {
    faults.push(`${name}: is ${placement}, and should be ${tableClass}`);
  }
  if (distributedBy !== null && distributedBy !== DISTRIBUTED_BY)
    faults.push(`${name}: is distributed by ${distributedBy}`);
  return faults;
}

/** Where rows of a table lie together with those of another, by the classes of both. */
function keyFaults(
  table: CatalogueTable,
  key: CatalogueKey,
  classes: Readonly<Record<string, TableClass>>,
): readonly string[] {
  const isDistributed = classes[table.name] === 'distributed';
  if (key.target === null) {
    return isDistributed && key.columns[0] !== DISTRIBUTED_BY
      ? [`does not begin with ${DISTRIBUTED_BY}`]
      : [];
  }
  const targetClass = classes[key.target];
  const faults: string[] = [];
  const sameClass = classes[table.name] === targetClass;
  if (isDistributed && !sameClass) faults.push(`points to ${key.target}, which is not distributed`);
  if (!isDistributed && targetClass === 'distributed')
    faults.push(`points to ${key.target}, which is distributed`);
  if (classes[table.name] === 'reference' && targetClass === 'lookUp') {
    faults.push(`points to ${key.target}, which lies on one machine`);
  }
  if (!isDistributed || !sameClass) return faults;
  if (table.isPartitioned) faults.push('is a foreign key of a partitioned table');
  if (key.columns[0] !== DISTRIBUTED_BY || key.targetColumns[0] !== DISTRIBUTED_BY) {
    faults.push(`does not lead from ${DISTRIBUTED_BY} to ${DISTRIBUTED_BY}`);
  }
  // Set null, set default; and on update also cascade: they would move a row to another customer.
  if (/[nd]/.test(key.onDelete) || /[ndc]/.test(key.onUpdate)) faults.push('would change customer_id');
  return faults;
}
