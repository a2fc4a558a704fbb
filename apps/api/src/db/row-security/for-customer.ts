import { AsyncLocalStorage } from 'node:async_hooks';
import type { Sql } from '../sql.ts';

const current = new AsyncLocalStorage<string>();

/**
 * Runs work that is one customer's: where the database knows the role for it (see `set-up.ts`), its statements see and write rows of that
 * customer alone, whatever they ask for. Nothing has to be handed on, so no query can forget it.
 */
export const forCustomer = <T>(customerId: string, work: () => T): T => current.run(customerId, work);

/** Whose work this is; undefined where it is nobody's in particular. */
export const currentCustomer = (): string | undefined => current.getStore();

const owners = new WeakSet<Sql>();

/**
 * A statement that the role of a customer may not or should not run: of the queue's tables, which belong to its library; or one whose plan
 * would be a bad one, because PostgreSQL compares what may tell of rows (numbers, patterns) only after the policy. It has to name the customer.
 */
export function asOwner<Row>(query: Sql<Row>): Sql<Row> {
  owners.add(query);
  return query;
}

export const isAsOwner = (query: Sql): boolean => owners.has(query);
