import { beforeEach } from 'vitest';
import { useFixture } from './test-fixture.ts';

/** What the tests of the pay link share: a payer with an invoice, and what the books say of it. */
export const fixture = useFixture();

export interface PayBody {
  uid: string;
  invoiceAmount: string;
  invoiceNumber: string;
  cardToken?: string | undefined;
  paymentMethodId?: string;
  paymentMethodType?: string;
  accountHolderName?: string;
  mandateAccepted?: boolean;
  mandateVersion?: string;
  email?: string;
}

export const post = (url: string, payload: object, headers: Record<string, string> = {}) =>
  fixture.app.inject({ method: 'POST', url, payload, headers });

export async function setUp(settings: Record<string, unknown> = {}) {
  const { customer, accountId } = await fixture.seedPayer(settings);
  const invoice = await fixture.seedPayable(customer);
  const body: PayBody = {
    uid: invoice.token,
    invoiceAmount: '110.00',
    invoiceNumber: invoice.number,
    cardToken: 'tok_visa',
  };
  return { customer, accountId, invoice, body };
}

export const rows = async <T>(text: string, values: unknown[]): Promise<T[]> =>
  (await fixture.database.pool().query(text, values)).rows as T[];

export async function moneyOf(customerId: string, invoiceId: string) {
  const [invoice] = await rows<{ status: number; paid: string; held: string }>(
    'select status, paid_minor::text as paid, held_minor::text as held from invoice where customer_id = $1 and id = $2',
    [customerId, invoiceId],
  );
  const captures = await rows<{ amount: string; credit: string }>(
    `select amount_minor::text as amount, to_credit_minor::text as credit from capture where customer_id = $1`,
    [customerId],
  );
  const open = await rows('select 1 from claim where customer_id = $1 and is_open', [customerId]);
  return { invoice, captures, openClaims: open.length };
}

beforeEach(() => {
  fixture.gateway.taken.clear();
  fixture.gateway.onCharge = async (charge) => fixture.gateway.take(charge);
  fixture.gateway.onLookup = async (charge) =>
    fixture.gateway.taken.has(charge.ref) ? fixture.gateway.take(charge) : { is: 'absent', proven: true };
  fixture.gateway.onCancel = async (charge) =>
    fixture.gateway.taken.has(charge.ref) ? fixture.gateway.take(charge) : { is: 'closed' };
  fixture.gateway.onVerifyCredentials = () => ({ ok: true, rights: [] });
});
