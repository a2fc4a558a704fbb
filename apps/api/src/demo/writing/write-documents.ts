import { newToken } from '@counterfoil/domain/text/ids.ts';
import type { Tx } from '../../db/database.ts';
import { payLinkExpiry, sealPayLink } from '../../features/pay-links/service.ts';
import type { Secrets } from '../../secrets.ts';
import type { DemoCustomer } from '../world/customers.ts';
import type { DemoDocument } from '../world/documents.ts';
import type { Settled } from '../world/history.ts';
import { fixedId } from '../world/random.ts';
import {
  identityColumns,
  identityRow,
  invoiceColumns,
  invoiceRow,
  lineColumns,
  lineRow,
} from './document-rows.ts';
import { writeRows } from './write-rows.ts';

/** Writes documents with their lines, identities, payments, credits and pay links. */
export async function writeDocuments(
  tx: Tx,
  secrets: Secrets,
  settled: readonly Settled[],
  now: Date,
): Promise<void> {
  const documents = settled.map((one) => one.document);
  await writeRows(tx, 'invoice', invoiceColumns, documents.map(invoiceRow));
  await writeRows(tx, 'invoice_identity', identityColumns, documents.map(identityRow));
  await writeRows(
    tx,
    'invoice_line',
    lineColumns,
    documents.flatMap((document) =>
      document.lines.map((line, at) => lineRow(document.customer, line, line.tax.minor, document.id, at + 1)),
    ),
  );
  await writeRows(tx, 'invoice_credit', creditColumns, settled.flatMap(creditRows));
  await writeRows(tx, 'ledger', ledgerColumns, settled.flatMap(ledgerRows));
  await writeRows(tx, 'customer_credit', unusedColumns, unusedRows(settled));
  const linked = documents.filter((one) => one.kind === 'invoice' && one.payable.minor > 0n);
  const links = linked.map((document) => payLinkRow(secrets, document, now));
  await writeRows(tx, 'pay_link', payLinkColumns, links);
  await writeRows(tx, 'invoice_pay_link', invoicePayLinkColumns, links);
}

/** Writes charges that no invoice carries yet: they feed the next bill. */
export async function writeOpenCharges(
  tx: Tx,
  charges: readonly { readonly customer: DemoCustomer; readonly lines: DemoDocument['lines'] }[],
): Promise<void> {
  const rows = charges.flatMap(({ customer, lines }) =>
    lines.map((line, at) => lineRow(customer, line, line.tax.minor, null, at + 1)),
  );
  await writeRows(tx, 'invoice_line', lineColumns, rows);
}

const creditColumns = {
  customer_id: 'uuid',
  id: 'uuid',
  credit_invoice_id: 'uuid',
  invoice_id: 'uuid',
  amount_minor: 'bigint',
  created_at: 'timestamptz',
};
const creditRows = ({ document, credit }: Settled) =>
  credit === null
    ? []
    : [
        {
          customer_id: document.customer.id,
          id: credit.id,
          credit_invoice_id: document.id,
          invoice_id: credit.invoiceId,
          amount_minor: credit.minor,
          created_at: `${document.issuedOn}T06:00:00Z`,
        },
      ];

const ledgerColumns = {
  customer_id: 'uuid',
  id: 'uuid',
  debit: 'text',
  credit: 'text',
  currency: 'text',
  amount_minor: 'bigint',
  source: 'text',
  source_id: 'uuid',
  leg: 'text',
  at: 'timestamptz',
};

/** The same entries an import makes of a credit, and one for a payment received outside. */
function ledgerRows({ document, payment, credit }: Settled) {
  const issued = `${document.issuedOn}T06:00:00Z`;
  const entry = (
    debit: string,
    to: string,
    minor: bigint,
    source: string,
    sourceId: string,
    leg: string,
    at: string,
  ) => ({
    customer_id: document.customer.id,
    id: fixedId(`ledger ${source} ${sourceId}`, Date.parse(at)),
    debit,
    credit: to,
    source,
    leg,
    at,
    currency: document.payable.currency,
    amount_minor: minor,
    source_id: sourceId,
  });
  const owed = -document.payable.minor;
  return [
    ...(owed > 0n
      ? [entry('creditNote', 'customerCredit', owed, 'invoice', document.id, 'credit', issued)]
      : []),
    ...(credit === null
      ? []
      : [entry('customerCredit', 'receivable', credit.minor, 'invoiceCredit', credit.id, 'credit', issued)]),
    ...(payment === null
      ? []
      : [
          entry(
            'external',
            'receivable',
            payment.minor,
            'external',
            payment.id,
            `invoice:${document.id}`,
            payment.at,
          ),
        ]),
  ];
}

const unusedColumns = { customer_id: 'uuid', currency: 'text', balance_minor: 'bigint' };

/** What the ledger's entries leave of each customer's credit. */
function unusedRows(settled: readonly Settled[]) {
  const sums = new Map<string, { customer_id: string; currency: string; balance_minor: bigint }>();
  for (const row of settled.flatMap(ledgerRows)) {
    const { customer_id, currency, amount_minor } = row;
    const effect =
      (row.credit === 'customerCredit' ? amount_minor : 0n) -
      (row.debit === 'customerCredit' ? amount_minor : 0n);
    if (effect === 0n) continue;
    const key = `${customer_id} ${currency}`;
    const sum = sums.get(key) ?? { customer_id, currency, balance_minor: 0n };
    sums.set(key, { ...sum, balance_minor: sum.balance_minor + effect });
  }
  return [...sums.values()];
}

const payLinkColumns = { hash: 'bytea', customer_id: 'uuid', invoice_id: 'uuid' };
const invoicePayLinkColumns = {
  hash: 'bytea',
  token_sealed: 'bytea',
  customer_id: 'uuid',
  invoice_id: 'uuid',
  created_at: 'timestamptz',
  expires_at: 'timestamptz',
};

/** Random like every other: a demo world may stand on a public address. */
function payLinkRow(secrets: Secrets, document: DemoDocument, now: Date) {
  const { hash, sealed } = sealPayLink(secrets, newToken(), document.id);
  return {
    hash: `\\x${hash.toString('hex')}`,
    token_sealed: `\\x${sealed.toString('hex')}`,
    customer_id: document.customer.id,
    invoice_id: document.id,
    created_at: now.toISOString(),
    expires_at: payLinkExpiry(document.dueOn, now).toISOString(),
  };
}
