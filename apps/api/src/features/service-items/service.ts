import { windowOf } from '@counterfoil/contract/paging.ts';
import type {
  Service,
  ServiceItem,
  ServiceItemChange,
  ServiceItemsQuery,
} from '@counterfoil/contract/service-items.ts';
import { newId } from '@counterfoil/domain/text/ids.ts';
import { AppError } from '../../app-error.ts';
import type { Database, Db, Tx } from '../../db/database.ts';
import { readPage } from '../../db/page.ts';
import type { Clock } from '../../deps.ts';
import type { CustomerScope, SessionScope } from '../../http/requests/scope.ts';
import * as queries from './queries.ts';

export interface ServiceItemDeps {
  readonly db: Database;
  readonly clock: Clock;
}

export const presentService = (row: queries.ServiceRow): Service => ({
  id: row.id,
  name: row.name,
  serviceItemLabel: row.service_item_label,
  serviceItem2Label: row.service_item2_label,
  serviceItem3Label: row.service_item3_label,
  unitsLabel: row.units_label,
  recordTypeLabel: row.record_type_label,
});

export const presentServiceItem = (row: queries.ServiceItemRow): ServiceItem => ({
  id: row.id,
  serviceId: row.service_id,
  serviceItem: row.name,
  description: row.description,
  costCentre: row.cost_centre,
});

/** One page of service items as they are asked for, with the total. */
export async function pageOfItems(
  db: Db,
  scope: CustomerScope,
  query: ServiceItemsQuery,
): Promise<{ data: ServiceItem[]; totalCount: number }> {
  const { service, order, orderDirection, search, serviceItem, description, costCentre, label, ids } = query;
  const list = queries.itemList(scope, {
    service,
    order,
    isDescending: orderDirection === 'desc',
    search,
    parts: { serviceItem, description, costCentre },
    label,
    ids,
  });
  const { rows, total } = await readPage<queries.ServiceItemRow>(db, list, windowOf(query));
  return { data: rows.map(presentServiceItem), totalCount: total };
}

/** The signed-in person as the author of a change. */
export const authorOf = (session: SessionScope): queries.ChangeAuthor => ({
  userId: session.userId,
  name: session.displayName,
  actor: session.actor,
});

/**
 * Writes new values of locked items and keeps what they were, as one change that can be undone. Items that have
 * these values already are left out.
 * @returns id of the change, null when nothing had to change, and the number of items changed
 */
export async function changeItems(
  tx: Tx,
  scope: CustomerScope,
  changes: readonly queries.ItemChange[],
  made: { readonly at: Date; readonly by: queries.ChangeAuthor; readonly undoOf: string | null },
): Promise<{ changeId: string | null; changed: number }> {
  const real = changes.filter(
    ({ before, description, costCentre }) =>
      before.description !== description || before.cost_centre !== costCentre,
  );
  if (real.length === 0) return { changeId: null, changed: 0 };
  const id = newId(made.at.getTime());
  await queries.insertChange(tx, scope, { id, ...made });
  await queries.applyChanges(tx, scope, id, real);
  return { changeId: id, changed: real.length };
}

/** Changes description and cost centre of one item. @throws {AppError} serviceItem.notFound */
export async function updateServiceItem(
  deps: ServiceItemDeps,
  scope: CustomerScope,
  by: queries.ChangeAuthor,
  id: string,
  change: ServiceItemChange,
): Promise<ServiceItem> {
  return deps.db.transaction(async (tx) => {
    const [before] = await queries.lockServiceItems(tx, scope, [id]);
    if (before === undefined) throw new AppError('serviceItem.notFound');
    const { description = before.description, costCentre = before.cost_centre } = change;
    const made = { at: deps.clock.now(), by, undoOf: null };
    await changeItems(tx, scope, [{ before, description, costCentre }], made);
    return presentServiceItem({ ...before, description, cost_centre: costCentre });
  });
}
