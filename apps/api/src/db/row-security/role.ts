import pg from 'pg';
import type { Ahead } from '../send.ts';

/** Whose statements PostgreSQL checks by the policies of `set-up.ts`. Nobody signs in as it. */
export const CUSTOMER_ROLE = 'counterfoil_customer';
/** Names the customer to the policies. */
export const CUSTOMER_SETTING = 'counterfoil.customer';

/** Role and customer of what follows; no customer: the owner's role, which sees all rows. */
export type ActsFor = string | undefined;

const STATEMENT = 'counterfoil_acts_for';
const setting = (isLocal: boolean) =>
  `select set_config('role', $1, ${isLocal}), set_config('${CUSTOMER_SETTING}', $2, ${isLocal})`;

/** Makes a new connection know the statement of {@link actingFor}. */
export const PREPARE_ROLE = `prepare ${STATEMENT} (text, text) as ${setting(true)}`;

const valuesFor = (customer: ActsFor): [string, string] =>
  customer === undefined ? ['none', ''] : [CUSTOMER_ROLE, customer];

/** Sets role and customer until the transaction ends: the one that is open, or the statement's own. */
export const actingFor = (customer: ActsFor): Ahead => ({
  statement: STATEMENT,
  values: valuesFor(customer),
});

/** What sets role and customer until the transaction ends, or for the connection until it is told otherwise. */
export function roleFor(customer: ActsFor, until: 'commit' | 'changed'): string {
  const [role, id] = valuesFor(customer).map((value) => pg.escapeLiteral(value));
  const isLocal = until === 'commit';
  return `select set_config('role', ${role}, ${isLocal}), set_config('${CUSTOMER_SETTING}', ${id}, ${isLocal})`;
}
