import { AppError } from '../../app-error.ts';
import type { Database, Db } from '../../db/database.ts';
import type { Clock } from '../../deps.ts';
import type { FileStore } from '../../files/file-store.ts';
import type { CustomerScope } from '../../http/requests/scope.ts';
import type { ComingCharges } from '../../letters/auto-pay-slip.ts';
import type { Secrets } from '../../secrets.ts';
import { findCustomerBrand } from '../brand/queries.ts';
import { brandFromRow } from '../brand/service.ts';
import type { InvoiceDetailRow } from './invoice-row.ts';
import type { PresentContext } from './present.ts';
import * as queries from './queries.ts';

export interface InvoiceDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly secrets: Secrets;
  readonly publicUrl: URL;
  readonly paymentTypeOf: (resellerId: number) => Promise<number>;
}

/** What its letter needs beside. */
export interface InvoicePaperDeps extends InvoiceDeps {
  /** Where documents of the provider's own lie. */
  readonly files: FileStore;
  readonly comingCharges: ComingCharges;
  /** Where long reads go. */
  readonly exports: Database;
}

export async function contextFor(deps: InvoiceDeps, scope: CustomerScope): Promise<PresentContext> {
  const [brand, paymentType] = await Promise.all([
    findCustomerBrand(deps.db, scope.customerId, scope.resellerId),
    deps.paymentTypeOf(scope.resellerId),
  ]);
  return {
    brand: brandFromRow(brand),
    secrets: deps.secrets,
    now: deps.clock.now(),
    gatewayConfigured: paymentType !== 0,
  };
}

/** @throws {AppError} invoice.notFound */
export async function findInvoice(db: Db, scope: CustomerScope, id: string): Promise<InvoiceDetailRow> {
  const row = await queries.findInvoice(db, scope, id);
  if (row === undefined) throw new AppError('invoice.notFound');
  return row;
}
