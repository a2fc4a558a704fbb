import { randomBytes } from 'node:crypto';
import { newId } from '@counterfoil/domain/text/ids.ts';
import { findUser } from '../../src/features/auth/queries.ts';
import { openSession } from '../../src/features/auth/session.ts';
import { issueToken } from '../../src/features/auth/tokens/one-time-token.ts';
import { FOREIGN_MARKER } from '../bad-input/stage.ts';
import { addThings, addWaysIn } from '../fixtures/customer-things.ts';
import type { TestFixture } from '../fixtures/test-fixture.ts';

/** One customer with everything the product keeps of a customer, and the secrets that open parts of it. */
export interface Tenant {
  readonly customerId: string;
  readonly userId: string;
  /** Token of the pay link of an open invoice. */
  readonly payLink: string;
  readonly invoiceNumber: string;
  /** A payment made through another link of the same customer. */
  readonly attemptId: string;
  readonly paidLink: string;
}

interface Whose {
  readonly resellerId: number;
  readonly customerId: string;
  readonly userId: string;
  /** Stands in every text of theirs. */
  readonly mark: string;
}

/** Fills the tables of an existing customer and user: invoices, lines, usage, payments, links, a session, mailed tokens. */
export async function furnish(fixture: TestFixture, whose: Whose): Promise<Tenant> {
  const customer = { id: whose.customerId, resellerId: whose.resellerId };
  const open = await fixture.seedPayable(customer, { number: `${whose.mark}-open` });
  await addThings(fixture, whose, open.id);
  const paid = await fixture.seedPayable(customer, { number: `${whose.mark}-paid` });
  const body = {
    uid: paid.token,
    invoiceAmount: '110.00',
    invoiceNumber: paid.number,
    cardToken: 'tok_visa',
    email: `${whose.mark}@payer.example`,
  };
  if (whose.mark.startsWith(FOREIGN_MARKER)) await addOddMoney(fixture, whose);
  const answer = await fixture.app.inject({
    ...({ method: 'POST', url: '/v1/ec/pay', payload: body } as const),
    // From an address of its own: what is counted by address is another matter.
    remoteAddress: `2001:db8:${randomBytes(2).toString('hex')}:${randomBytes(2).toString('hex')}::1`,
  });
  const attemptId: unknown = answer.json().data?.attemptId;
  if (typeof attemptId !== 'string') throw new Error(`the stage could not pay: ${answer.body}`);
  await signInAt(fixture, whose.userId, whose.mark);
  const now = fixture.clock.now();
  for (const kind of ['reset', 'registration'] as const)
    await fixture.deps.databases.web.transaction((tx) => issueToken(tx, kind, whose.userId, now));
  return {
    customerId: whose.customerId,
    userId: whose.userId,
    attemptId,
    paidLink: paid.token,
    payLink: open.token,
    invoiceNumber: open.number,
  };
}

/** Credit and a currency that the caller has nothing of, so that none of it can hide in a sum or a list. */
async function addOddMoney(fixture: TestFixture, { customerId, resellerId, mark }: Whose): Promise<void> {
  await fixture.seedPayable({ id: customerId, resellerId }, { number: `${mark}-odd`, currency: 'EUR' });
  const long = '2025-06-01T00:00:00Z';
  for (const [currency, at] of [
    ['USD', long] as const,
    ['USD', fixture.clock.now()] as const,
    ['CHF', long] as const,
  ])
    await fixture.database.pool().query(
      `insert into ledger (customer_id, id, debit, credit, currency, amount_minor, source, source_id, leg, at)
       values ($1, $2, 'gateway', 'customerCredit', $3, 700, 'capture', $2, 'credit', $4)`,
      [customerId, newId(), currency, at],
    );
  for (const [currency, minor] of [['USD', 1_400] as const, ['CHF', 700] as const])
    await fixture.database
      .pool()
      .query('insert into customer_credit (customer_id, currency, balance_minor) values ($1, $2, $3)', [
        customerId,
        currency,
        minor,
      ]);
}

/** A customer of a reseller with a user of their own. */
export async function newTenant(fixture: TestFixture, resellerId: number, mark: string): Promise<Tenant> {
  const customer = await fixture.make.customer({
    resellerId,
    brandId: resellerId,
    label: `${mark} customer`,
    email: `${mark}@customer.example`,
  });
  const user = await fixture.make.user({
    resellerId,
    email: `${newId()}-${mark}@user.example`,
    customerIds: [customer.id],
  });
  await addWaysIn(fixture, user.id, mark);
  return furnish(fixture, { resellerId, customerId: customer.id, userId: user.id, mark });
}

/** Signs a user in as the sign-in page would. @returns the answer of `/token` */
export async function signInAt(fixture: TestFixture, userId: string, agent: string, actor?: string) {
  const { databases, secrets, clock, config } = fixture.deps;
  const user = await findUser(databases.web, userId);
  if (user === undefined) throw new Error('there is no such user');
  const answer = await openSession(
    { db: databases.web, secrets, clock, isDemo: false, sessionEnds: config.sessionEnds },
    {
      user,
      method: 'password',
      origin: { address: '203.0.113.7', agent },
      ...(actor === undefined ? {} : { actor }),
    },
  );
  if (answer === undefined) throw new Error('the stage could not sign in');
  return answer;
}

/** Every id in a text. */
export const UUID = /[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}/g;

/** Ids, and the columns (`table.column`) in which each of them stands. */
export type PlacesOfIds = ReadonlyMap<string, ReadonlySet<string>>;

/** Every id that stands in a row of these customers or users, in whichever table. */
export async function idsOf(
  fixture: TestFixture,
  owners: { readonly customers: readonly string[]; readonly users: readonly string[] },
): Promise<PlacesOfIds> {
  const pool = fixture.database.pool();
  const { rows } = await pool.query<{ table_name: string; column_name: string }>(
    `select c.table_name, c.column_name from information_schema.columns c join pg_class p on p.relname = c.table_name
      where c.table_schema = 'public' and c.column_name in ('customer_id', 'user_id') and not p.relispartition`,
  );
  const found = new Map<string, Set<string>>();
  for (const { table_name, column_name } of rows) {
    const ids = column_name === 'customer_id' ? owners.customers : owners.users;
    const text = `select to_jsonb(t) as row from "${table_name}" t where ${column_name} = any($1)`;
    for (const { row } of (await pool.query<{ row: Record<string, unknown> }>(text, [ids])).rows)
      for (const [column, value] of Object.entries(row))
        for (const [id] of JSON.stringify(value).matchAll(UUID))
          found.set(id, (found.get(id) ?? new Set()).add(`${table_name}.${column}`));
  }
  return found;
}

/** A token of that many bytes that nobody was ever given. */
export const strangerToken = (bytes: number): string => randomBytes(bytes).toString('base64url');
