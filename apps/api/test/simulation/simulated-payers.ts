import { money } from '@counterfoil/domain/money/money.ts';
import { newId } from '@counterfoil/domain/text/ids.ts';
import { addDays, dayOfUtcMs } from '@counterfoil/domain/time/day.ts';
import type { LookupResult, Refund } from '@counterfoil/gateways/port/gateway.ts';
import { remoteId } from '@counterfoil/gateways/port/gateway-ref.ts';
import { expect } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { findUser } from '../../src/features/auth/queries.ts';
import { openSession } from '../../src/features/auth/session.ts';
import { autoPayRound } from '../../src/features/auto-pay/service.ts';
import { createPayLink } from '../../src/features/pay-links/service.ts';
import { followCredit } from '../../src/features/payments/credit.ts';
import { RefundRefused, refundPayment } from '../../src/features/payments/refunds/refund.ts';
import { book, chance, count, faults, fixture, rows, told, trouble, unknown } from './simulated-trouble.ts';

/** The customers of the simulation, and what they do beside paying by a link. */
export interface Payer {
  readonly customerId: string;
  readonly resellerId: number;
  /** Invoices of late, newest last; sets of them overlap. */
  readonly recent: string[];
  readonly cardId: string;
  call(
    url: string,
    payload: object,
    method?: 'PUT',
  ): Promise<{ status: number; data: unknown; body: string }>;
}

const PAYMENTS = '/v1/ec/payments';
const RECENT = 12;
const SESSION_MS = 600_000;

/** With a saved card; every other agrees to be charged. Call it before the trouble. */
export async function makePayer(
  seeded: { readonly id: string; readonly resellerId: number },
  agrees: boolean,
): Promise<Payer> {
  const { id: customerId, resellerId } = seeded;
  const user = await fixture.make.user({ resellerId, customerIds: [customerId] });
  const signIn = async () => {
    const { databases, secrets, clock, config } = fixture.deps;
    // Not of the pools that fail: who is signed in is not in question.
    const found = await findUser(databases.exports, user.id);
    if (found === undefined) throw new Error('there is no such user');
    const origin = { address: '203.0.113.7', agent: 'simulation' };
    const { sessionEnds } = config;
    const own = { db: databases.exports, secrets, clock, isDemo: false, sessionEnds };
    const opened = await openSession(own, { user: found, method: 'password', origin });
    return { at: clock.now().getTime(), token: opened?.access_token ?? '' };
  };
  let session = signIn();
  const call: Payer['call'] = async (url, payload, method) => {
    if (fixture.clock.now().getTime() - (await session).at > SESSION_MS) session = signIn();
    const answer = await fixture.app.inject({
      method: method ?? 'POST',
      url,
      payload,
      headers: { authorization: `Bearer ${(await session).token}` },
    });
    const data: unknown = answer.statusCode < 300 && answer.body !== '' ? answer.json().data : undefined;
    return { status: answer.statusCode, data, body: answer.body };
  };
  // Letters only: the digits of one id in hundreds read like a card number, which no call takes.
  const letters = customerId.replaceAll('-', '').replace(/\d/g, (digit) => 'ghijklmnop'[Number(digit)] ?? '');
  const saved = await call(`${PAYMENTS}/cards`, { token: `tok_${letters}` });
  if (saved.status >= 300) throw new Error(`a card was not saved: ${saved.status} ${saved.body}`);
  const { source } = saved.data as { source: { id: string } };
  if (agrees) await call('/v1/ec/allow-reseller-charge', { allowResellerCharge: true }, 'PUT');
  return { customerId, resellerId, recent: [], cardId: source.id, call };
}

/** A new invoice of this customer, due in three days or at some time. */
export async function newInvoice(payer: Payer) {
  const { customerId, resellerId } = payer;
  const isDueSoon = trouble.random() < 0.5;
  const dueOn = isDueSoon ? addDays(dayOfUtcMs(fixture.clock.now().getTime()), 3) : null;
  const seeded = await fixture.make.invoice({ customerId, resellerId, dueOn });
  const link = { customerId, invoiceId: seeded.id, dueOn: null, now: fixture.clock.now() };
  const token = await fixture.deps.databases.exports.transaction((tx) =>
    createPayLink(tx, fixture.deps.secrets, link),
  );
  payer.recent.push(seeded.id);
  if (payer.recent.length > RECENT) payer.recent.shift();
  return { ...seeded, token, payer };
}

/** Pays one invoice with some others of the same customer: sets of different lanes overlap. */
export async function payTogether(payer: Payer, invoiceId: string, twice: boolean): Promise<void> {
  const open = await rows<{ id: string }>(
    'select id from invoice where id = any($1::uuid[]) and status = 10 and due_minor > 0 order by id',
    [payer.recent],
  );
  const invoiceIds = open.map(({ id }) => id).filter((id) => id === invoiceId || trouble.random() < 0.4);
  if (invoiceIds.length === 0) return;
  const intent = await payer.call(`${PAYMENTS}/intents`, { invoiceIds });
  count(`intent ${intent.status}`);
  if (intent.status !== 200) return;
  const { sessionId: uid } = intent.data as { sessionId: string };
  const by =
    trouble.random() < 0.5 ? { cardId: payer.cardId } : { cardToken: `tok_b${uid}`, cardHolder: 'Jo Fox' };
  const press = async () => {
    const { status, data, body } = await payer.call(`${PAYMENTS}/pay/bulk`, { uid, ...by });
    count(`bulk ${status}`);
    if (status !== 200) return expect([409, 422, 503], `${body} ${faults.at(-1)}`).toContain(status);
    const answer = data as { status: string; attemptId?: string };
    // What credit paid whole has no attempt.
    if (answer.attemptId === undefined) return count('by credit');
    told.set(answer.attemptId, (told.get(answer.attemptId) ?? new Set()).add(answer.status));
  };
  await Promise.all(twice ? [press(), press()] : [press()]);
}

/** A round; what was announced is charged at the next, as if its three days had passed. */
export async function autoPay(resellerId: number): Promise<void> {
  await rows("update autopay_plan set charge_on = charge_on - 3 where state = 'announced'");
  const deps = { ...fixture.engine, publicUrl: new URL('http://localhost:3000') };
  const done = await autoPayRound(deps, { resellerId }).catch(() => []);
  for (const { did } of done) count(`auto ${did}`);
}

/** What half of the charges can be refunded by; events of reversals are about the others. */
export const isForRefunds = (ref: string): boolean => (ref.codePointAt(ref.length - 1) ?? 0) % 2 === 0;

export async function refund(payer: Payer): Promise<void> {
  const taken = await rows<{ id: string; ref: string }>(
    `select c.id, a.ref from capture c join attempt a on a.customer_id = c.customer_id and a.id = c.attempt_id
      where c.customer_id = $1 order by c.id desc limit 10`,
    [payer.customerId],
  );
  const one = taken.filter(({ ref }) => isForRefunds(ref))[Math.floor(trouble.random() * 3)];
  if (one === undefined) return;
  const minor = trouble.random() < 0.5 ? undefined : BigInt(1 + Math.floor(trouble.random() * 9_000));
  const key = { by: 'amount', after: null } as const;
  const order = { customerId: payer.customerId, captureId: one.id, minor, by: 'operator', note: 'x', key };
  try {
    count(`refund ${(await refundPayment(fixture.engine, order)).attempt.state}`);
  } catch (error) {
    count(error instanceof RefundRefused ? 'refund refused' : 'refund failed');
  }
}

/** Credit as a credit note leaves it. */
export async function giveCredit({ customerId }: Payer): Promise<void> {
  const minor = BigInt(1_000 + Math.floor(trouble.random() * 14_000));
  await fixture.deps.databases.exports.transaction(async (tx) => {
    await followCredit(tx, { customerId, currency: 'USD' }, minor);
    const id = newId();
    await tx.execute(sql`
      insert into ledger (customer_id, id, debit, credit, currency, amount_minor, source, source_id, leg, at)
      values (${customerId}, ${id}, 'creditNote', 'customerCredit', 'USD', ${minor}, 'invoice', ${id}, 'credit', ${fixture.clock.now()})`);
  });
  count('credit');
}

/** What the gateway gave back: reference of the refund → of which charge, minor units. */
export const refunded = new Map<string, { of: string; minor: bigint }>();

export function scriptRefunds(): void {
  const carryOut = ({ ref, of, amount }: Refund): void => {
    if (!refunded.has(ref)) refunded.set(ref, { of: of.ref, minor: amount.minor });
  };
  const truth = ({ ref, amount, lastSentAt }: Refund): LookupResult => {
    const known = refunded.get(ref);
    if (known === undefined) {
      const sinceLast = fixture.clock.now().getTime() - lastSentAt.getTime();
      return { is: 'absent', proven: sinceLast >= 120_000 };
    }
    const captured = money(known.minor, amount.currency);
    return { is: 'succeeded', remote: remoteId(`gb_${ref}`), captured, state: {} };
  };
  fixture.gateway.onRefund = async (order) => {
    if (chance(0.1)) return unknown;
    carryOut(order);
    const found = truth(order);
    return chance(0.15) || found.is !== 'succeeded' ? unknown : found;
  };
  fixture.gateway.onLookupRefund = async (order) => (chance(0.2) ? unknown : truth(order));
}

/** Each refund of the gateway is booked once, and none that it did not make. */
export async function compareRefunds(context: string): Promise<void> {
  const booked = await rows<{ remote: string; minor: string }>(
    "select remote, amount_minor::text as minor from reversal where remote like 'gb\\_%'",
  );
  const atGateway = [...refunded].map(([ref, { minor }]) => `gb_${ref} ${minor}`);
  expect(new Set(booked.map(({ remote, minor }) => `${remote} ${minor}`)), context).toEqual(
    new Set(atGateway),
  );
  expect(booked, context).toHaveLength(atGateway.length);
  const back = new Map<string, bigint>();
  for (const { of, minor } of refunded.values()) back.set(of, (back.get(of) ?? 0n) + minor);
  for (const [of, minor] of back)
    expect(minor <= (book.get(of)?.minor ?? 0n), `${context}: more went back of ${of} than was taken`).toBe(
      true,
    );
}
