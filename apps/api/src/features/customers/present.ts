import type {
  AdminCustomer,
  CustomerUser,
} from '@counterfoil/contract/operator/customers/admin-customers.ts';
import type { CustomerRow, CustomerUserRow } from './queries.ts';
import { valuesOf } from './values.ts';

/** A customer as programs and commands are told of it. */
export const presentCustomer = (row: CustomerRow): AdminCustomer => ({
  id: row.customer_id,
  reference: row.external_ref,
  ...valuesOf(row),
  status: row.disabled_at === null ? 'active' : 'disabled',
  createdAt: row.created_at.toISOString(),
  version: row.version,
});

/** The state of a customer that a caller has read, for `If-Match`. */
export const etagOf = (row: CustomerRow): string => `"${row.version}"`;

export const presentCustomerUser = (row: CustomerUserRow): CustomerUser => ({
  id: row.id,
  email: row.email,
  displayName: row.display_name,
  isActive: row.is_active,
  hasPassword: row.has_password,
});
