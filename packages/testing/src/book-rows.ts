/**
 * Rows of books that are true, made by SQL of a list `book` with a row for each invoice. What an invoice went through hangs on its
 * number by moduli without a common factor, so that each mixture is there. Every twentieth is of one customer.
 */

const CUSTOMERS = 499;
/** Issued within so many days. */
const DAYS = 1_500;

/** An id that says what it is of: `n` is an expression. */
const id = (kind: string, n: string): string =>
  `('00000000-${kind}-7000-8000-' || lpad(to_hex(${n}), 12, '0'))::uuid`;
/** `n % of = is` as 0 or 1. */
const one = (of: number, is: number): string => `(case when n % ${of} = ${is} then 1 else 0 end)`;

/** An invoice was paid through a gateway or outside, waits for an open attempt, is a credit note or was credited by one, or is open. */
const KIND = `
  case when n % 20 = 0 or n % 19 < 9 then 'captured' when n % 19 = 9 then 'external' when n % 19 = 10 then 'waiting'
       when n % 19 = 11 then 'creditNote' when n % 19 = 12 and n > 4 * ${CUSTOMERS} and n % 20 <> 16 then 'credited' else 'open' end`;

/** Of the same customer, for an invoice that was credited. */
const CREDIT_NOTE = id('1000', `n - 4 * ${CUSTOMERS}`);

/** The list. Amounts are 0 where there is none. */
export const bookOf = (invoices: number): string => `
  create temp table book as
  select x.*, payable - used as to_invoice, payable - used + fee + extra as taken,
         case when charged_back = 1 then payable - used else refunded end as reversed
    from (select n, kind, payable, ${id('c000', `case when n % 20 = 0 then 0 else 1 + n % ${CUSTOMERS} end`)} as customer_id,
                 ${id('1000', 'n')} as id, '2022-01-01'::date + day as issued_on,
                 ('2022-01-02'::date + day + make_interval(mins => n % 1440)) at time zone 'UTC' as at,
                 is_captured * ${one(3, 0)} * 100 as fee, is_captured * ${one(7, 0)} * 50 as extra,
                 is_captured * ${one(11, 3)} * 20 as used, is_captured * ${one(13, 5)} * (payable / 4) as refunded,
                 is_captured * ${one(17, 6)} * (1 - ${one(13, 5)}) as charged_back,
                 is_captured * ${one(17, 6)} * (1 - ${one(13, 5)}) * ${one(5, 1)} * 15 as lost,
                 is_captured * ${one(101, 9)} * (1 - ${one(13, 5)}) * (1 - ${one(17, 6)}) * 10 as being_refunded,
                 is_captured * ${one(23, 4)} as was_declined
            from (select n, kind, (n::bigint * ${DAYS} / ${invoices})::int as day, 1000 + (n::bigint * 7919 % 100003) as payable, case when kind = 'captured' then 1 else 0 end as is_captured
                    from (select n, ${KIND} as kind from generate_series(1, ${invoices}) n) k) p) x`;

const attempt = (
  kind: string,
  direction: string,
  state: string,
  amount: string,
  credit: string,
  capture = 'null::uuid',
  remote = 'null',
): string => `
  select customer_id, ${id(kind, 'n')} as id, ${id('5e00', 'n')}, 1, ${id('9a00', '1')}, 'stripe', '${direction}',
         upper(substr('${kind}', 1, 2) || to_hex(n)), ''::bytea, 'card', 'customer', 'USD', ${amount}, ${credit}, '${state}',
         '{}'::jsonb, '/', at, at, at, ${capture}, ${remote}, ${state === 'pending' ? 0 : 1}, n from book`;

const attempts = [
  `${attempt('a100', 'charge', 'succeeded', 'taken', 'used')} where kind = 'captured'`,
  `${attempt('a200', 'charge', 'declined', 'taken', '0')} where was_declined = 1`,
  `${attempt('a300', 'charge', 'pending', 'payable', `${one(2, 0)} * 5`)} where kind = 'waiting'`,
  `${attempt('a400', 'refund', 'succeeded', 'refunded', '0', id('ca00', 'n'), "'re_' || n")} where refunded > 0`,
  `${attempt('a500', 'refund', 'pending', 'being_refunded', '0', id('ca00', 'n'), "'rb_' || n")} where being_refunded > 0`,
].join(' union all ');

const invoiceLeg = "'invoice:' || id";
/** Entries of the ledger: debit, credit, amount, source, its id, leg. */
const entries = [
  [
    'gateway',
    'receivable',
    "case when kind = 'captured' then to_invoice else 0 end",
    'capture',
    id('ca00', 'n'),
    invoiceLeg,
  ],
  ['gateway', 'feeIncome', 'fee', 'capture', id('ca00', 'n'), "'fee'"],
  ['gateway', 'customerCredit', 'extra', 'capture', id('ca00', 'n'), "'credit'"],
  ['customerCredit', 'receivable', 'used', 'creditUse', id('5e00', 'n'), invoiceLeg],
  ['refunded', 'gateway', 'refunded', 'reversal', id('4e00', 'n'), invoiceLeg],
  ['receivable', 'gateway', 'charged_back * reversed', 'reversal', id('4e00', 'n'), invoiceLeg],
  ['lostAtGateway', 'gateway', 'lost', 'reversal', id('4e00', 'n'), "'lost'"],
  [
    'external',
    'receivable',
    "case when kind = 'external' then payable else 0 end",
    'external',
    id('e000', 'n'),
    invoiceLeg,
  ],
  [
    'external',
    'customerCredit',
    "case when kind = 'external' then 10 else 0 end",
    'external',
    id('e000', 'n'),
    "'credit'",
  ],
  [
    'creditNote',
    'receivable',
    "case when kind = 'credited' then 100 else 0 end",
    'invoice',
    CREDIT_NOTE,
    invoiceLeg,
  ],
]
  .map(
    ([debit, credit, minor, source, of, leg], part) =>
      `('${part}', '${debit}', '${credit}', ${minor}, '${source}', ${of}, ${leg})`,
  )
  .join(', ');

/** What an entry does to an account. */
const EFFECT = `
  case when debit in ('receivable', 'customerCredit') then amount_minor else 0 end
    - case when credit in ('receivable', 'customerCredit') then amount_minor else 0 end`;

/** What an invoice was paid and credited, and what of it came back. */
const PAID =
  "case kind when 'captured' then to_invoice when 'external' then payable else 0 end as paid, used + case when kind = 'credited' then 100 else 0 end as credited, charged_back * reversed as back";

/** Rows of each table, in an order in which what later ones are of is there. */
export const rowsOf: Readonly<Record<string, string>> = {
  customer: `(customer_id, reseller_id, label) select ${id('c000', 'n')}, 1, 'Customer ' || n from generate_series(0, ${CUSTOMERS}) n`,
  gateway_account: `(id, reseller_id, gateway) values (${id('9a00', '1')}, 1, 'stripe')`,
  invoice: `
    (customer_id, id, reseller_id, kind, number, supplier_key, issued_on, due_on, currency, subtotal_minor, tax_minor, total_minor,
     payable_minor, held_minor, paid_minor, credited_minor, reversed_minor, status, content_hash, generated_at,
     summed_minor, summed_on, summed_currency)
    select customer_id, id, 1, case kind when 'creditNote' then kind else 'invoice' end, 'INV-' || n, 'supplier', issued_on,
           issued_on + 14, 'USD', sign * payable, 0, sign * payable, sign * payable, case when kind = 'waiting' then payable else 0 end,
           paid, credited, back, case when paid + credited - back >= sign * payable then 11 else 10 end, decode(md5(n::text), 'hex'), at,
           case when sign > 0 then payable else 0 end, case when sign > 0 then issued_on end, case when sign > 0 then 'USD' end
      from (select *, case when kind = 'creditNote' then -1 else 1 end as sign, ${PAID} from book) b order by n`,
  invoice_credit: `
    (customer_id, id, credit_invoice_id, invoice_id, amount_minor)
    select customer_id, ${id('1c00', 'n')}, ${CREDIT_NOTE}, id, 100 from book where kind = 'credited'`,
  pay_session: `
    (customer_id, id, reseller_id, origin, public_id, currency, total_minor, credit_minor, quote_digest, created_at)
    select customer_id, ${id('5e00', 'n')}, 1, 'public', 'P' || n, 'USD', payable + fee, used, '', at
      from book where kind in ('captured', 'waiting') order by n`,
  attempt: `
    (customer_id, id, session_id, reseller_id, gateway_account_id, gateway, direction, ref, request_digest, kind, initiator, currency,
     amount_minor, credit_minor, state, labels, return_to, sent_at, last_sent_at, updated_at, of_capture_id, remote, seq)
    select customer_id, id, session_id, reseller, account, gateway, direction, ref, digest, kind, initiator, currency, minor, credit, state,
           labels, return_to, sent, last_sent, updated, capture, remote, seq
      from (${attempts}) a (customer_id, id, session_id, reseller, account, gateway, direction, ref, digest, kind, initiator, currency, minor,
                            credit, state, labels, return_to, sent, last_sent, updated, capture, remote, seq, n) order by n`,
  claim: `
    (customer_id, attempt_id, invoice_id, amount_minor, is_open)
    select customer_id, attempt_id, id, payable, kind = 'waiting' from (
      select *, ${id('a200', 'n')} as attempt_id from book where was_declined = 1
       union all select *, ${id('a100', 'n')} from book where kind = 'captured'
       union all select *, ${id('a300', 'n')} from book where kind = 'waiting') c order by n`,
  transition: `
    (customer_id, attempt_id, seq, from_state, to_state, cause, at)
    select customer_id, id, s, case s when 0 then null else 'sending' end, case s when 0 then 'sending' else state end, 'answer', sent_at
      from attempt cross join generate_series(0, 1) s where s <= seq`,
  capture: `
    (customer_id, id, attempt_id, gateway_account_id, remote, currency, amount_minor, to_invoices_minor, to_fee_minor, to_credit_minor,
     reversed_minor, lost_minor, at)
    select customer_id, ${id('ca00', 'n')}, ${id('a100', 'n')}, ${id('9a00', '1')}, 'ch_' || n, 'USD', taken, to_invoice, fee, extra,
           reversed, lost, at
      from book where kind = 'captured' order by n`,
  allocation: `
    (customer_id, id, capture_id, target, invoice_id, amount_minor)
    select customer_id, ('00000000-a11' || part || '-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, ${id('ca00', 'n')}, target, of, minor
      from book cross join lateral (values (1, 'invoice:' || id, id, to_invoice), (2, 'fee', null, fee), (3, 'credit', null, extra)
             ) legs (part, target, of, minor) where kind = 'captured' and minor > 0 order by n`,
  reversal: `
    (customer_id, id, capture_id, remote, kind, amount_minor, at)
    select customer_id, ${id('4e00', 'n')}, ${id('ca00', 'n')}, 're_' || n,
           case charged_back when 1 then 'chargeback' else 'refund' end, reversed + lost, at
      from book where reversed > 0 order by n`,
  credit_use: `
    (customer_id, id, session_id, attempt_id, invoice_id, amount_minor, at)
    select customer_id, ${id('c500', 'n')}, ${id('5e00', 'n')}, ${id('a100', 'n')}, id, used, at from book where used > 0 order by n`,
  external_payment: `
    (customer_id, id, reseller_id, reference, method, currency, amount_minor, received_on, note, recorded_by, created_at)
    select customer_id, ${id('e000', 'n')}, 1, 'X' || n, 'bankTransfer', 'USD', payable + 10, issued_on, '', 'bench', at
      from book where kind = 'external' order by n`,
  external_payment_share: `
    (customer_id, payment_id, invoice_id, amount_minor)
    select customer_id, ${id('e000', 'n')}, id, payable from book where kind = 'external' order by n`,
  ledger: `
    (customer_id, id, debit, credit, currency, amount_minor, source, source_id, leg, at, is_summed)
    select customer_id, ('00000000-1ed' || part || '-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, debit, credit, 'USD', minor, source,
           source_id, leg, at, source <> 'invoice'
      from book cross join lateral (values ${entries}) legs (part, debit, credit, minor, source, source_id, leg)
     where minor > 0 order by n`,
  outbox: `
    (customer_id, id, kind, dedupe_key, payload, created_at, done_at, queued_at)
    select customer_id, ${id('0b00', 'n')}, 'receipt', ${id('ca00', 'n')}::text,
           jsonb_build_object('captureId', ${id('ca00', 'n')}, 'attemptId', ${id('a100', 'n')}, 'to', 'payer' || n || '@bench.example'), at, at, at
      from book where kind = 'captured' order by n`,
  payment_method: `
    (customer_id, id, gateway_account_id, kind, token_digest, gateway_state_sealed, show, usable, state, is_default, created_at, updated_at)
    select ${id('c000', 'n / 4')}, ${id('3e00', 'n')}, ${id('9a00', '1')}, 'card', decode(md5(n::text), 'hex'), '', '{}', 'now', 'active', n % 4 = 0,
           now(), now() from generate_series(0, ${4 * CUSTOMERS + 3}) n`,
  customer_credit: `
    (customer_id, currency, balance_minor, held_minor, overdrawn_minor)
    select customer_id, 'USD', greatest(minor, held), held, greatest(held - minor, 0) from (
      select customer_id, sum(extra - used + case when kind = 'external' then 10 else 0 end) as minor,
             sum(case when kind = 'waiting' and n % 2 = 0 then 5 else 0 end) as held from book group by customer_id) c
     where minor <> 0 or held <> 0`,
  account_day: `
    (customer_id, currency, day, billed_minor, invoices, entries_minor)
    select customer_id, 'USD', day, sum(billed), sum(bills), sum(moved) from (
      select customer_id, issued_on as day, payable as billed, 1 as bills, 0 as moved from book where kind <> 'creditNote'
       union all
      select l.customer_id, (l.at at time zone 'UTC')::date, 0, 0, ${EFFECT} from ledger l where l.is_summed) m
     group by 1, 3`,
};
