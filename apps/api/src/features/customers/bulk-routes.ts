import { bulkCustomer, bulkUser } from '@counterfoil/contract/operator/customers/admin-customers.ts';
import type * as z from 'zod/mini';
import { AppError } from '../../app-error.ts';
import type { BulkKind } from '../../bulk/bulk.ts';
import { type BulkRouteDeps, bulkRoute } from '../../bulk/bulk-route.ts';
import type { App } from '../../http/app-type.ts';
import { customersNamed } from '../admin/queries.ts';
import { putCustomerUsers } from './put-users.ts';
import { brandsOf } from './queries.ts';
import { takeOutCustomers, takeOutUsers } from './take-out.ts';
import { putCustomers } from './write-customers.ts';

/** Customers by lines; a line is taken whatever state its customer is in. */
export const bulkCustomers: BulkKind<z.output<typeof bulkCustomer>> = {
  name: 'customer',
  schemaOf: () => bulkCustomer,
  async put(tx, { resellerId, by }, lines, now) {
    const brands = await brandsOf(tx, resellerId);
    const known = lines.filter(({ brandId }) => brandId === null || brands.has(brandId));
    const writes = known.map(({ reference, ...values }) => ({ reference, values }));
    const written = writes.length === 0 ? [] : await putCustomers(tx, resellerId, writes, by, now);
    const byReference = new Map(writes.map(({ reference }, at) => [reference, written[at]]));
    return lines.map(({ reference }) => {
      const done = byReference.get(reference);
      if (done === undefined) return new AppError('customer.noBrand');
      const { outcome: status, row, changes } = done;
      return { status, id: row.customer_id, version: row.version, changes };
    });
  },
  takeOut: (tx, of, made, now) => takeOutCustomers(tx, of, made, now),
};

/** People at customers by lines. */
export const bulkUsers: BulkKind<z.output<typeof bulkUser>> = {
  name: 'user',
  schemaOf: () => bulkUser,
  async put(tx, of, lines, now) {
    const customers = await customersNamed(
      tx,
      of.resellerId,
      lines.map(({ customer }) => customer),
    );
    const known = lines.flatMap(({ customer, email, displayName, invite }) => {
      const customerId = customers.get(customer);
      return customerId === undefined ? [] : [{ customerId, email, displayName, invite }];
    });
    const written = known.length === 0 ? [] : await putCustomerUsers(tx, of, known, now);
    const byEmail = new Map(known.map(({ email }, at) => [email, written[at]]));
    return lines.map(({ email }) => {
      const done = byEmail.get(email);
      if (done === undefined) return new AppError('customer.notFound');
      if (done instanceof AppError) return done;
      return { status: done.outcome, id: done.user.id, changes: done.changes };
    });
  },
  takeOut: (tx, of, made, now) => takeOutUsers(tx, of, made, now),
};

/** Customers and their users in bulk, for a provider's programs. */
export function customerBulkRoutes(app: App, deps: BulkRouteDeps): void {
  bulkRoute(app, deps, bulkCustomers, {
    path: '/v1/admin/customers/bulk',
    scope: 'customers:write',
    tags: ['customers of a provider'],
    operationId: 'putCustomersInBulk',
    summary: 'Makes or changes many customers: a line in for each, a line out for each',
    line: 'Each line is the body of `putCustomer` with `reference` beside it; it is taken whatever state the customer is in.\n\n```\n{"reference":"C-1","label":"Harbour Office","email":"bills@harbour.example"}\n```',
  });
  bulkRoute(app, deps, bulkUsers, {
    path: '/v1/admin/users/bulk',
    scope: 'users:write',
    tags: ['users of customers'],
    operationId: 'putUsersInBulk',
    summary: 'Lets many people sign in for customers: a line in for each, a line out for each',
    line: 'Each line is the body of `putCustomerUser` with `email` and `customer`, the provider’s own reference of the customer or our id, beside it; the `reference` of its result is the address. Somebody new is invited by mail unless `invite` is false.\n\n```\n{"email":"mia@harbour.example","customer":"C-1","displayName":"Mia Harbour","invite":false}\n```',
  });
}
