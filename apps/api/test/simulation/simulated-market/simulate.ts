import type { LookupStrategy } from '@counterfoil/gateways/port/gateway.ts';
import type pg from 'pg';
import pino from 'pino';
import type { Database } from '../../../src/db/database.ts';
import { GatewayAccounts } from '../../../src/features/payments/accounts.ts';
import type { Secrets } from '../../../src/secrets.ts';
import { scriptedGateway } from '../../fixtures/paying/scripted-gateway.ts';
import { compareBooks, type Fees } from './compare-books.ts';
import { EventSender } from './event-sender.ts';
import { fragile, type Market, Trouble } from './market.ts';
import { Acts, type Customer } from './payers.ts';
import { Stories } from './stories.ts';
import { ABSENT_AFTER_MS, UnreliableGateway } from './unreliable-gateway.ts';
import type { VirtualTime } from './virtual-time.ts';

/** What the simulation needs of its tables. */
export const TABLES = [
  'reseller',
  'brand',
  'brand_host',
  'customer',
  'webhook_endpoint',
  'reseller_customer',
  'gateway_account',
  'invoice',
  'invoice_credit',
  'pay_link',
  'invoice_pay_link',
  'pay_session',
  'pay_session_ref',
  'pay_session_line',
  'attempt',
  'attempt_ref',
  'claim',
  'transition',
  'capture',
  'allocation',
  'reversal',
  'resubmission',
  'failed_collection',
  'after_end_task',
  'payment_pause',
  'ledger',
  'outbox',
  'gateway_object',
  'inbox',
  'customer_credit',
  'credit_use',
  'payment_method',
  'payer',
  'consent',
  'mandate',
  'autopay_plan',
  'autopay_run',
] as const;

export interface Result {
  readonly seed: number;
  /** Charges that were attempted. */
  readonly payments: number;
  readonly captures: number;
  readonly violations: readonly string[];
  readonly counts: Readonly<Record<string, number>>;
  /** Of the simulated time. */
  readonly hours: number;
}

const START = '2026-03-02T09:00:00Z';
const CUSTOMERS = 30;
const RESELLER = 7001;
const DAY_MS = 24 * 3_600_000;
const FEES: Fees = {
  card: { percent: 1.75, fixedMinor: 30, capMinor: 350 },
  bank: { percent: 0.5, fixedMinor: 10, capMinor: 90 },
};
const settingOf = ({ percent, fixedMinor, capMinor }: Fees['card']) => ({
  basisPoints: Math.round(percent * 100),
  fixedMinor,
  capMinor,
});
const strategy: LookupStrategy = {
  by: 'ref',
  mayCharge: false,
  savedMethodOnly: false,
  firstMs: 0,
  visibleMs: 0,
  validMs: 'unknown',
  maxAttempts: 'any',
  absenceProvenMs: ABSENT_AFTER_MS,
  pause: { firstMs: 0, factor: 1, mostMs: 0 },
};

export interface Options {
  readonly seed: number;
  /** Stories begin until so many charges were attempted. */
  readonly payments: number;
  readonly time: VirtualTime;
  readonly database: Database;
  readonly pool: pg.Pool;
}

export const startOfTime = START;

/**
 * Payments of some customers under every kind of trouble, by the product's own code, until all has come to an end; then
 * the gateway's book is compared with ours.
 */
export async function simulate({ seed, payments, time, database, pool }: Options): Promise<Result> {
  const trouble = new Trouble(seed);
  const secrets = openSecrets();
  const log = pino({ level: 'error' }, { write: (line) => count(trouble, line) });
  const scripted = scriptedGateway([
    strategy,
    { ...strategy, by: 'replay', mayCharge: true, validMs: DAY_MS },
  ]);
  const db = fragile(database, time, trouble);
  const { clock } = time;
  const common = { db, secrets, clock, log };
  const accounts = new GatewayAccounts({ ...common, modules: [scripted.module], addresses: {} });
  const deps = { ...common, accounts, publicUrl: new URL('http://localhost:3000') };
  const accountId = trouble.uuid();
  const market: Market = {
    time,
    trouble,
    steady: database,
    pool,
    deps,
    log,
    accountId,
    resellerId: RESELLER,
    told: new Map(),
    sumsTold: new Map(),
    violations: [],
  };
  const sender = new EventSender(market);
  const gateway = new UnreliableGateway(time, trouble, (entry) => sender.report(entry));
  gateway.script(scripted);
  const customers = await seedCustomers(market, secrets);
  const stories = new Stories(market, new Acts(market), gateway, customers);

  const isEnough = () => gateway.called.size >= payments || market.violations.length > ENOUGH_VIOLATIONS;
  let isOver = false;
  stories.begin(isEnough);
  stories.autoPay(() => trouble.isOn);
  stories.reconcile(() => !isOver);
  await time.pass(() => isEnough() && stories.running === 0);
  // The trouble is over: every open payment must come to its end by itself.
  trouble.isOn = false;
  const until = time.now + 5 * DAY_MS;
  await time.pass(() => time.now >= until);
  isOver = true;
  await time.pass(() => time.now >= until + DAY_MS);
  const attempted = await compareBooks(market, gateway, FEES);
  const captures = [...gateway.book.values()].filter(({ state }) => state === 'taken').length;
  const hours = Math.round((time.now - Date.parse(START)) / 3_600_000);
  return {
    seed,
    payments: attempted,
    captures,
    violations: market.violations,
    counts: trouble.counts,
    hours,
  };
}

/** Seals that anybody can open; each is another one, as in earnest. */
function openSecrets(): Secrets {
  let seals = 0;
  const refuse = () => {
    throw new Error('the simulation has no keys');
  };
  return {
    seal(plain, context) {
      seals += 1;
      return Buffer.from(`${seals}\n${context}\n${plain}`);
    },
    open(sealed, context) {
      const [, place, ...plain] = Buffer.from(sealed).toString().split('\n');
      if (place !== context) throw new Error('sealed elsewhere');
      return plain.join('\n');
    },
    digest: refuse,
    tokenKey: new Uint8Array(32),
    tokenKeys: [],
  };
}

/** More of them tell nothing new. */
const ENOUGH_VIOLATIONS = 20;

function count(trouble: Trouble, line: string): void {
  const { msg } = JSON.parse(line) as { msg: string };
  trouble.count(`log: ${msg}`);
}

async function seedCustomers(market: Market, secrets: Secrets): Promise<Customer[]> {
  const { pool, trouble, accountId, time } = market;
  const now = time.clock.now();
  const settings = {
    billingAddressRequired: false,
    cardHolderRequired: false,
    partPayment: true,
    emailReceipt: true,
    cardFee: settingOf(FEES.card),
    bankFee: settingOf(FEES.bank),
  };
  await pool.query('insert into reseller (id, name) values ($1, $2)', [RESELLER, 'Reseller']);
  await pool.query(
    `insert into brand (id, reseller_id, name, company_name, colours, settings, currency)
     values ($1, $1, 'Brand', 'Company', $2, $3, 'USD')`,
    [
      RESELLER,
      ['#ffffff', '#3598db', '#94a1a3', '#def1fe', '#005e80', '#eef8fe', '#e7ebef'],
      JSON.stringify(settings),
    ],
  );
  await pool.query(
    "insert into gateway_account (id, reseller_id, gateway, config) values ($1, $2, 'scripted', $3)",
    [accountId, RESELLER, JSON.stringify({ key: 'k' })],
  );
  const customers: Customer[] = [];
  for (let n = 0; n < CUSTOMERS; n += 1) {
    const id = trouble.uuid();
    await pool.query(
      `insert into customer (customer_id, reseller_id, brand_id, label, email) values ($1, $2, $2, $3, 'jo@mail.example')`,
      [id, RESELLER, `Customer ${n}`],
    );
    const methodIds: string[] = [];
    for (const kind of n % 4 === 0 ? (['card', 'bank'] as const) : (['card'] as const)) {
      const methodId = trouble.uuid();
      const token = `${kind}_${methodId}`;
      const show = kind === 'card' ? { type: 'card', last4: '4242' } : { type: 'own_debit', last4: '6789' };
      // Some have a bank account that is debited by itself, of the others a card is charged.
      const isDefault = (kind === 'bank') === (n % 8 === 0);
      await pool.query(
        `insert into payment_method (customer_id, id, gateway_account_id, kind, token_digest, gateway_state_sealed, show, usable,
           state, is_default, created_at, updated_at)
         values ($1, $2, $3, $4, $5, $6, $7, 'now', 'active', $8, $9, $9)`,
        [
          id,
          methodId,
          accountId,
          kind,
          Buffer.from(token),
          secrets.seal(JSON.stringify({ token, kind }), methodId),
          JSON.stringify(show),
          isDefault,
          now,
        ],
      );
      methodIds.push(methodId);
    }
    if (n % 3 !== 0)
      await pool.query(
        `insert into consent (customer_id, id, purpose, text, version, user_id, user_name, at, address, agent)
         values ($1, $2, 'autoPay', 'I agree', '1', $2, 'Jo', $3, '203.0.113.7', 'simulation')`,
        [id, trouble.uuid(), now],
      );
    customers.push({ id, methodIds, recent: [] });
  }
  return customers;
}
