import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { signedIn } from './signed-in.ts';
import type { TestFixture } from './test-fixture.ts';

export type Person = Awaited<ReturnType<typeof signedIn>>;

/** Rows that move a customer's balance, and the statement as the customer reads it. */
export function statementRows(fixture: TestFixture) {
  return {
    /** An entry of the ledger, as a payment received outside. */
    post: (customerId: string, debit: string, credit: string, minor: bigint, at: string, currency = 'USD') =>
      fixture.database.pool().query(
        `insert into ledger (customer_id, id, debit, credit, currency, amount_minor, source, source_id, leg, at)
         values ($1, $2, $3, $4, $5, $6, 'external', $2, 'x', $7)`,
        [customerId, randomUUID(), debit, credit, currency, minor, at],
      ),
    bill: (person: Person, number: string, issuedOn: string, minor: bigint, over: object = {}) =>
      fixture.make.invoice({
        customerId: person.customer.id,
        resellerId: person.reseller.id,
        number,
        issuedOn,
        subtotalMinor: minor,
        taxMinor: 0n,
        dueOn: null,
        ...over,
      }),
    statement: async (person: Person, from: string, to: string, more = '') => {
      const answer = await person.get(`/v1/ec/statement?dateFrom=${from}&dateTo=${to}${more}`);
      expect(answer.statusCode).toBe(200);
      return answer.json().data;
    },
  };
}
