import pg from 'pg';
import type { Compiled } from '../sql.ts';

/** Whose statements PostgreSQL checks by the policies of `set-up.ts`. Nobody signs in as it. */
export const CUSTOMER_ROLE = 'counterfoil_customer';
/** Names the customer to the policies. */
export const CUSTOMER_SETTING = 'counterfoil.customer';

/** Role and customer of what follows; no customer: the owner's role, which sees all rows. */
export type ActsFor = string | undefined;

const STATEMENT = 'counterfoil_acts_for';
const setting = (isLocal: boolean) =>
  `select set_config('role', $1, ${isLocal}), set_config('${CUSTOMER_SETTING}', $2, ${isLocal})`;

/** Makes a new connection know the statement that {@link queryFor} sends ahead. */
export const PREPARE_ROLE = `prepare ${STATEMENT} (text, text) as ${setting(true)}`;

const valuesFor = (customer: ActsFor): [string, string] =>
  customer === undefined ? ['none', ''] : [CUSTOMER_ROLE, customer];

/** What sets role and customer until the transaction ends, or for the connection until it is told otherwise. */
export function roleFor(customer: ActsFor, until: 'commit' | 'changed'): string {
  const [role, id] = valuesFor(customer).map((value) => pg.escapeLiteral(value));
  const isLocal = until === 'commit';
  return `select set_config('role', ${role}, ${isLocal}), set_config('${CUSTOMER_SETTING}', ${id}, ${isLocal})`;
}

/** What the driver's query has beside its documented face (pg 8, lib/query.js). */
interface WireQuery extends pg.Submittable {
  callback: (error: Error | null, result: unknown) => void;
  submit(connection: pg.Connection): unknown;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, connection: pg.Connection): void;
}

interface WireConnection {
  readonly stream: { cork(): void; uncork(): void };
  bind(of: { statement: string; values: readonly string[] }): void;
  execute(of: { portal: string }): void;
}

/**
 * Runs a statement with role and customer set in the same message: both are one transaction where none is open, so the setting ends
 * with the statement, and no other user of the connection can meet it. It costs no round trip.
 */
export function queryFor(
  client: pg.ClientBase,
  statement: Compiled,
  customer: ActsFor,
): Promise<{ rows: unknown[]; rowCount: number | null }> {
  const query = new pg.Query({
    ...statement,
    queryMode: 'extended',
  } as pg.QueryConfig) as unknown as WireQuery;
  const { submit, handleDataRow, handleCommandComplete } = query;
  let isSet = false;
  query.submit = (connection) => {
    const wire = connection as unknown as WireConnection;
    wire.stream.cork();
    try {
      wire.bind({ statement: STATEMENT, values: valuesFor(customer) });
      wire.execute({ portal: '' });
      return submit.call(query, connection);
    } finally {
      wire.stream.uncork();
    }
  };
  // The answer of what was sent ahead comes first: a row and its end.
  query.handleDataRow = (message) => {
    if (isSet) handleDataRow.call(query, message);
  };
  query.handleCommandComplete = (message, connection) => {
    if (isSet) handleCommandComplete.call(query, message, connection);
    isSet = true;
  };
  return new Promise((resolve, reject) => {
    query.callback = (error, result) =>
      error === null || error === undefined
        ? resolve(result as { rows: unknown[]; rowCount: number | null })
        : reject(error);
    client.query(query);
  });
}
