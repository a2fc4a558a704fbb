import type { Db } from '../../../db/database.ts';
import type { CustomerScope } from '../../../http/requests/scope.ts';
import { usageCondition } from '../filter.ts';
import { datePositions } from './date-positions.ts';
import { linePositions, typePositions } from './group-positions.ts';
import type { Positions, PositionsInput } from './positions.ts';
import { isLineOrder, isValueOrder, lineColumns } from './sort.ts';
import { type PagesQuery, readState } from './state.ts';
import { valuePositions } from './value-positions.ts';

/** Positions, and the stamp they hold for. */
export interface PagesPlan {
  readonly stamp: string;
  readonly positions: Positions;
}

/** What a process has for all its plans. */
export type PlanMeans = Pick<PositionsInput, 'options' | 'samples'>;

/** Counts what positions of a query need. @throws {AppError} as `filterOf` */
export async function makePlan(
  db: Db,
  scope: CustomerScope,
  query: PagesQuery,
  means: PlanMeans,
): Promise<PagesPlan> {
  const state = await readState(db, scope, query);
  const positions = await positionsOf(db, scope, query, { state, ...means });
  return { stamp: state.stamp, positions };
}

function positionsOf(
  db: Db,
  scope: CustomerScope,
  { order }: PagesQuery,
  means: PlanMeans & Pick<PositionsInput, 'state'>,
): Promise<Positions> {
  const { state } = means;
  const input = { ...means, scope, where: usageCondition(scope, state.filter) };
  // Of one line, all orders of lines are that of time.
  if (isLineOrder(order) && state.filter.serviceItemId === undefined)
    return linePositions(db, input, lineColumns[order]);
  if (isValueOrder(order)) return valuePositions(db, input, order);
  return order === 'recordType' ? typePositions(db, input) : datePositions(db, input);
}
