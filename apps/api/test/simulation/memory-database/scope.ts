import type { Call, Expr, Select } from './syntax.ts';
import type { Place, Table, Undo } from './table.ts';
import type { Row, Value } from './values.ts';

/** One execution of a statement: where each `from` item stands, the values given, and what undoes it. */
export interface Run {
  readonly rows: (Row | null)[];
  readonly places: (Place | undefined)[];
  readonly params: readonly Value[];
  readonly undo: Undo[];
  /** What must hold when the whole statement is done. */
  readonly atEnd: (() => void)[];
  /** What `with` queries came to, by slot. */
  readonly results: Row[][];
}

export type Evaluate = (run: Run) => Value;

/** An expression ready to be evaluated. */
export interface Ready {
  readonly evaluate: Evaluate;
  /** Undefined for what takes the type of what it is compared with. */
  readonly type: string | undefined;
  /** The `from` items it reads, of this query and of those around it. */
  readonly slots: ReadonlySet<number>;
}

export interface ScopeItem {
  readonly alias: string;
  readonly slot: number;
  /** Type by column, in their order. */
  readonly columns: ReadonlyMap<string, string | undefined>;
}

export interface KnownTable {
  readonly table: Table;
  readonly types: ReadonlyMap<string, string>;
  /** A row with what is given; defaults and generated columns are filled in. */
  complete(given: Record<string, Value>): Row;
  /** The row with its generated columns again. */
  regenerate(row: Record<string, Value>): Row;
  /** @throws where a row names another that is not there */
  checkReferences(row: Row, before: Row | undefined): void;
}

/** A query ready to run. */
export interface ReadyQuery {
  readonly columns: ReadonlyMap<string, string | undefined>;
  readonly slots: ReadonlySet<number>;
  /** Runs until `emit` says that it has enough. */
  run(run: Run, emit: (row: Row) => boolean): void;
}

export interface Aggregate {
  readonly call: Call;
  readonly args: readonly Ready[];
  readonly orderBy: readonly { readonly by: Ready; readonly isDescending: boolean }[];
}

/** What a compiler of expressions is given. */
export interface Compiler {
  newSlot(): number;
  compileQuery(query: Select, scope: Scope): ReadyQuery;
}

/** The names an expression may use. */
export class Scope {
  readonly compiler: Compiler;
  readonly parent: Scope | undefined;
  readonly items: ScopeItem[] = [];
  readonly ctes = new Map<string, { readonly columns: ScopeItem['columns']; readonly slot: number }>();
  /** Of a query that groups: what it counts and sums, in a slot of its own. */
  aggregates: { readonly slot: number; readonly found: Aggregate[] } | undefined;

  constructor(compiler: Compiler, parent?: Scope) {
    this.compiler = compiler;
    this.parent = parent;
  }

  findCte(name: string): { readonly columns: ScopeItem['columns']; readonly slot: number } | undefined {
    return this.ctes.get(name) ?? this.parent?.findCte(name);
  }

  /** @throws {ReferenceError} where it is not there, or more than once */
  resolve(table: string | undefined, name: string): { item: ScopeItem; type: string | undefined } {
    const fits = this.items.filter(
      ({ alias, columns }) => (table === undefined || alias === table) && columns.has(name),
    );
    const [item, other] = fits;
    if (other !== undefined) throw new ReferenceError(`column ${name} is ambiguous`);
    if (item !== undefined) return { item, type: item.columns.get(name) };
    if (this.parent === undefined) throw new ReferenceError(`there is no column ${table ?? ''}.${name}`);
    return this.parent.resolve(table, name);
  }

  /** The column of one of this query's own items that an expression is. */
  ownColumn(expr: Expr): { slot: number; name: string; type: string | undefined } | undefined {
    if (expr.is !== 'column') return undefined;
    try {
      const { item, type } = this.resolve(expr.table, expr.name);
      return this.items.includes(item) ? { slot: item.slot, name: expr.name, type } : undefined;
    } catch {
      return undefined;
    }
  }
}

export const AGGREGATES: ReadonlySet<string> = new Set([
  'count',
  'sum',
  'min',
  'max',
  'bool_or',
  'bool_and',
  'json_agg',
  'array_agg',
]);
