import type { PaymentIntent } from '@counterfoil/contract/bulk-pay.ts';
import type { PayAnswer } from '@counterfoil/contract/public-pay.ts';
import { newId } from '@counterfoil/domain/ids.ts';
import type { Outcome } from '@counterfoil/gateways/port/gateway.ts';
import { remoteId } from '@counterfoil/gateways/port/gateway-ref.ts';
import type { InvoiceSeed } from '@counterfoil/testing/factories.ts';
import type { LightMyRequestResponse } from 'fastify';
import { afterEach, beforeEach, expect } from 'vitest';
import { followCredit } from '../src/features/payments/credit.ts';
import { brokenRules } from './books.ts';
import { fixture, type Person, paths, person, rows, type Settings } from './methods-fixture.ts';

/** What the tests of bulk payment share: customers with invoices, credit and methods, and books checked after each test. */
export { fixture, paths, rows };

export const PATH = '/v1/ec/payments';

export interface BulkPayer extends Person {
  /** Invoices of 110.00 unless said otherwise. */
  invoices(n: number, over?: Partial<InvoiceSeed>): Promise<(InvoiceSeed & { token: string })[]>;
  ask(invoiceIds: readonly string[], more?: object): Promise<LightMyRequestResponse>;
  /** Opens a session. @returns the intent */
  intent(invoiceIds: readonly string[]): Promise<PaymentIntent>;
  read(sessionId: string): Promise<PaymentIntent>;
  pay(uid: string, body?: object, headers?: Record<string, string>): Promise<LightMyRequestResponse>;
  /** Pays, and expects an answer. */
  paid(uid: string, body?: object): Promise<PayAnswer>;
  /** Gives the customer credit, as a payment that was not needed does. */
  credit(minor: bigint, currency?: string): Promise<void>;
  /** What the counter says. */
  creditLeft(): Promise<{ balance: string; held: string }>;
  /** Adds a bank account that can be debited. @returns its id */
  bankAccount(shown?: Record<string, string>): Promise<string>;
  money(): Promise<{ paid: number; credited: number; due: number; held: number }>;
}

export async function bulkPayer(settings: Settings = {}): Promise<BulkPayer> {
  const one = await person(settings);
  const { customerId, resellerId, accountId, call } = one;
  const ask = (invoiceIds: readonly string[], more: object = {}) =>
    call('POST', `${PATH}/intents`, { invoiceIds, ...more });
  const pay: BulkPayer['pay'] = (uid, body = {}, headers = {}) =>
    call('POST', `${PATH}/pay/bulk`, { uid, ...body }, headers);
  const good = (answer: LightMyRequestResponse) => {
    expect(answer.statusCode, answer.body).toBe(200);
    return answer.json().data;
  };
  return {
    ...one,
    ask,
    pay,
    async invoices(n, over = {}) {
      const made: (InvoiceSeed & { token: string })[] = [];
      for (let at = 0; at < n; at += 1)
        made.push(await fixture.seedPayable({ id: customerId, resellerId }, over));
      return made;
    },
    intent: async (ids) => good(await ask(ids)),
    read: async (sessionId) => good(await call('POST', `${PATH}/intents/${sessionId}`)),
    paid: async (uid, body) => good(await pay(uid, body)),
    async credit(minor, currency = 'USD') {
      await fixture.deps.databases.web.transaction((tx) => followCredit(tx, { customerId, currency }, minor));
      await rows(
        `insert into ledger (customer_id, id, debit, credit, currency, amount_minor, source, source_id, leg, at)
         values ($1, $2, 'creditNote', 'customerCredit', $3, $4, 'invoice', $2, 'credit', $5)`,
        [customerId, newId(), currency, minor, fixture.clock.now()],
      );
    },
    async creditLeft() {
      const [row] = await rows<{ balance: string; held: string }>(
        `select balance_minor::text as balance, held_minor::text as held from customer_credit
          where customer_id = $1 and currency = 'USD'`,
        [customerId],
      );
      return row ?? { balance: '0', held: '0' };
    },
    async bankAccount(shown = { type: 'own_debit', bankName: 'Test Bank', last4: '6789' }) {
      const id = newId();
      const gatewayState = fixture.deps.secrets.seal(JSON.stringify({ token: id }), id);
      await rows(
        `insert into payment_method (customer_id, id, gateway_account_id, kind, token_digest, gateway_state_sealed, show, usable,
           state, created_at, updated_at) values ($1, $2, $3, 'bank', $4, $5, $6, 'now', 'active', $7, $7)`,
        [
          customerId,
          id,
          accountId,
          Buffer.from(id),
          gatewayState,
          JSON.stringify(shown),
          fixture.clock.now(),
        ],
      );
      return id;
    },
    async money() {
      const [row] = await rows<{ paid: number; credited: number; due: number; held: number }>(
        `select sum(paid_minor)::int as paid, sum(credited_minor)::int as credited, sum(due_minor)::int as due,
                sum(held_minor)::int as held from invoice where customer_id = $1`,
        [customerId],
      );
      return row ?? { paid: 0, credited: 0, due: 0, held: 0 };
    },
  };
}

export const ids = (invoices: readonly { id: string }[]): string[] => invoices.map(({ id }) => id);
export const token = { cardToken: 'tok_visa', cardHolder: 'Jo Fox' };
export const challenge = async (): Promise<Outcome> => ({
  is: 'requiresAction',
  action: { do: 'redirect', to: 'https://bank.example/challenge' },
  remote: remoteId(`r_challenge_${fixture.gateway.calls.charge}`),
  state: { id: 'pi' },
});
export const declined: Outcome = {
  is: 'declined',
  why: { class: 'otherMethod', code: 'card_declined', text: 'Your card was declined' },
};
/** What was taken at the gateway for a customer, minor units, one entry per charge. */
export async function takenFrom(customerId: string): Promise<bigint[]> {
  const made = await rows<{ ref: string }>('select ref from attempt where customer_id = $1', [customerId]);
  return made.flatMap(({ ref }) => fixture.gateway.taken.get(ref) ?? []);
}

beforeEach(() => {
  const { gateway } = fixture;
  gateway.taken.clear();
  gateway.onCharge = async (charge) => gateway.take(charge);
  gateway.onCheckout = undefined;
  gateway.onLookup = async (charge) =>
    gateway.taken.has(charge.ref) ? gateway.take(charge) : { is: 'absent', proven: true };
  gateway.onCancel = async (charge) =>
    gateway.taken.has(charge.ref) ? gateway.take(charge) : { is: 'closed' };
  gateway.onVerifyCredentials = () => ({ ok: true, rights: [] });
});
afterEach(async () => {
  expect(await brokenRules(fixture.database.pool())).toEqual({});
});
