import type { Db } from '../../../db/database.ts';
import type { Sql } from '../../../db/sql.ts';
import type { CustomerScope } from '../../../http/scope.ts';
import { usageCondition } from '../filter.ts';
import { datePositions } from './date-positions.ts';
import { linePositions, typePositions } from './group-positions.ts';
import type { PagingOptions } from './options.ts';
import type { Part, RecordRow } from './part.ts';
import type { Window } from './running-sums.ts';
import { isLineOrder, isValueOrder, lineColumns } from './sort.ts';
import { type PagesQuery, type PagesState, readState } from './state.ts';
import { valuePositions } from './value-positions.ts';

/** Knows where each record of one filter stands in one ascending order. */
export interface Positions {
  readonly total: number;
  /** How much memory it takes, roughly, in numbers. */
  readonly weight: number;
  /** Where to read the records of a window that lies within the total; `changed`: these positions hold no more. */
  partsOf(db: Db, window: Window): Promise<Part[] | 'changed'>;
  /** What stands in a window, in ascending order: the windows before and after it are then quickly found. */
  learn?(window: Window, rows: readonly RecordRow[]): void;
}

/** Positions, and the stamp they hold for. */
export interface PagesPlan {
  readonly stamp: string;
  readonly positions: Positions;
  readonly weight: number;
}

/** What positions are made of. */
export interface PositionsInput {
  readonly scope: CustomerScope;
  readonly state: PagesState;
  /** On `usage_record u`: the filter. */
  readonly where: Sql<boolean>;
  readonly options: PagingOptions;
}

/** Counts what positions of a query need. @throws {AppError} as `filterOf` */
export async function makePlan(
  db: Db,
  scope: CustomerScope,
  query: PagesQuery,
  options: PagingOptions,
): Promise<PagesPlan> {
  const state = await readState(db, scope, query);
  const positions = await positionsOf(db, scope, query, { state, options });
  return { stamp: state.stamp, positions, weight: positions.weight };
}

function positionsOf(
  db: Db,
  scope: CustomerScope,
  { order }: PagesQuery,
  { state, options }: Pick<PositionsInput, 'state' | 'options'>,
): Promise<Positions> {
  const input = { scope, state, options, where: usageCondition(scope, state.filter) };
  if (isLineOrder(order)) return linePositions(db, input, lineColumns[order]);
  if (isValueOrder(order)) return valuePositions(db, input, order);
  return order === 'date' ? datePositions(db, input) : typePositions(db, input);
}
