import type {
  CostCentreAllocation,
  CostCentreChange,
  CostCentreChanged,
  CostCentreSummary,
} from '@counterfoil/contract/cost-centres.ts';
import { money, moneyToNumber } from '@counterfoil/domain/money/money.ts';
import { today } from '@counterfoil/domain/time/time-zone.ts';
import { AppError } from '../../app-error.ts';
import type { CustomerScope } from '../../http/requests/scope.ts';
import { findCustomerBrand } from '../brand/queries.ts';
import { type ChangeAuthor, lockServiceItems } from '../service-items/queries.ts';
import { changeItems, type ServiceItemDeps } from '../service-items/service.ts';
import * as queries from './queries.ts';

const CHANGES_SHOWN = 20;

/**
 * Gives many service items one cost centre, all or none.
 * @throws {AppError} serviceItem.notFound when one of them is not the customer's
 */
export function allocate(
  deps: ServiceItemDeps,
  scope: CustomerScope,
  by: ChangeAuthor,
  { serviceItemIds, costCentre }: CostCentreAllocation,
): Promise<CostCentreChanged> {
  const ids = [...new Set(serviceItemIds)];
  return deps.db.transaction(async (tx) => {
    const items = await lockServiceItems(tx, scope, ids);
    if (items.length !== ids.length) throw new AppError('serviceItem.notFound');
    const changes = items.map((before) => ({ before, description: before.description, costCentre }));
    return changeItems(tx, scope, changes, { at: deps.clock.now(), by, undoOf: null });
  });
}

/**
 * Gives the items of a change back what they had. An item that was changed again since stays as it is.
 * @throws {AppError} costCentreChange.notFound, costCentreChange.undone
 */
export function undoChange(deps: ServiceItemDeps, scope: CustomerScope, by: ChangeAuthor, changeId: string) {
  return deps.db.transaction(async (tx) => {
    const now = deps.clock.now();
    if (!(await queries.markUndone(tx, scope, changeId, now))) {
      const exists = await queries.changeExists(tx, scope, changeId);
      throw new AppError(exists ? 'costCentreChange.undone' : 'costCentreChange.notFound');
    }
    const changed = new Map(
      (await queries.listChangedItems(tx, scope, changeId)).map((row) => [row.service_item_id, row]),
    );
    const items = await lockServiceItems(tx, scope, [...changed.keys()]);
    const changes = items.flatMap((before) => {
      const row = changed.get(before.id);
      const stands =
        row?.description_after === before.description && row.cost_centre_after === before.cost_centre;
      return row !== undefined && stands
        ? [{ before, description: row.description_before, costCentre: row.cost_centre_before }]
        : [];
    });
    const undone = await changeItems(tx, scope, changes, { at: now, by, undoOf: changeId });
    return { ...undone, skipped: changed.size - changes.length };
  });
}

/** The latest changes, newest first. */
export async function recentChanges(
  deps: ServiceItemDeps,
  scope: CustomerScope,
): Promise<CostCentreChange[]> {
  const rows = await queries.listChanges(deps.db, scope, CHANGES_SHOWN);
  return rows.map((row) => ({
    id: row.id,
    at: row.at.toISOString(),
    by: row.actor === null ? row.user_name : `${row.user_name} (${row.actor})`,
    items: row.items,
    costCentre: row.cost_centre,
    canUndo: row.undone_at === null,
  }));
}

/** Cost by cost centre of the invoices issued in a span. @throws {AppError} usage.badRange when it is reversed */
export async function costSummary(
  deps: ServiceItemDeps,
  scope: CustomerScope,
  from: string,
  to: string,
): Promise<CostCentreSummary> {
  if (from > to) throw new AppError('usage.badRange');
  const [brand, costs, invoices] = await Promise.all([
    findCustomerBrand(deps.db, scope.customerId, scope.resellerId),
    queries.sumByCostCentre(deps.db, scope, from, to),
    queries.sumInvoices(deps.db, scope, from, to),
  ]);
  return {
    allocationOf: today(brand.time_zone, deps.clock.now()),
    currencies: invoices.map((sum) =>
      summaryOf(
        sum,
        costs.filter(({ currency }) => currency === sum.currency),
      ),
    ),
  };
}

function summaryOf(sum: queries.InvoiceSumRow, costs: readonly queries.CostRow[]) {
  const number = (minor: bigint) => moneyToNumber(money(minor, sum.currency));
  const parts = (amount: bigint, tax: bigint, total: bigint) => ({
    amount: number(amount),
    tax: number(tax),
    total: number(total),
  });
  const amount = costs.reduce((all, row) => all + row.amount_minor, 0n);
  const tax = costs.reduce((all, row) => all + row.tax_minor, 0n);
  return {
    currency: sum.currency,
    invoices: sum.invoices,
    costCentres: costs.map((row) => ({
      costCentre: row.cost_centre,
      serviceItems: row.service_items,
      ...parts(row.amount_minor, row.tax_minor, row.amount_minor + row.tax_minor),
    })),
    difference: parts(sum.amount_minor - amount, sum.tax_minor - tax, sum.total_minor - amount - tax),
    total: parts(sum.amount_minor, sum.tax_minor, sum.total_minor),
  };
}
