import * as z from 'zod/mini';
import { cursor, pageLimit, said } from '../parts.ts';
import { externalMethods } from '../paying/external-payments.ts';

/** What a provider's programs call about invoices: `/v1/admin/invoices`. */

const text = (most: number) => z.string().check(z.trim(), z.minLength(1), z.maxLength(most));
const decimal = (what: string) => said(z.string(), `${what} An exact decimal, such as \`12.50\`.`);
const day = (what: string) => said(z.nullable(z.string()), `${what} \`YYYY-MM-DD\`.`);

export const invoiceStates = ['open', 'paid', 'credited', 'void', 'disputed'] as const;
export const invoiceKinds = ['invoice', 'creditNote'] as const;

export const invoiceQuery = z.object({
  customer: said(z.optional(text(200)), 'Our id of a customer, or the provider’s own reference of it.'),
  number: said(z.optional(text(200)), 'Those with this number.'),
  kind: said(z.optional(z.enum(invoiceKinds)), 'Invoices or credit notes only.'),
  status: said(z.optional(z.enum(invoiceStates)), 'Those in this state only.'),
  currency: said(z.optional(z.string().check(z.regex(/^[A-Z]{3}$/))), 'Those in this currency, ISO 4217.'),
  issuedFrom: said(z.optional(z.iso.date()), 'Issued on this day or later.'),
  issuedTo: said(z.optional(z.iso.date()), 'Issued on this day or before.'),
  dueFrom: said(z.optional(z.iso.date()), 'Due on this day or later.'),
  dueTo: said(z.optional(z.iso.date()), 'Due on this day or before.'),
  period: said(z.optional(z.iso.date()), 'Those whose billing period has this day in it.'),
  limit: pageLimit,
  cursor,
});

const exampleInvoice = {
  id: '0199a3c1-9c30-7f24-8d3e-6a5a8a3a1c42',
  number: 'INV-1001',
  kind: 'invoice',
  customerId: '0199a3c1-6f0e-7c55-9d3e-0c6e0a4f7b21',
  customer: 'Harbour Office',
  status: 'open',
  issuedOn: '2026-03-01',
  dueOn: '2026-03-15',
  periodFrom: '2026-02-01',
  periodTo: '2026-02-28',
  currency: 'NZD',
  subtotal: '100.00',
  tax: '15.00',
  total: '115.00',
  rounding: '0.00',
  prepaid: '0.00',
  payable: '115.00',
  paid: '0.00',
  credited: '0.00',
  reversed: '0.00',
  beingPaid: '0.00',
  due: '115.00',
  createdAt: '2026-03-01T10:00:00.000Z',
} as const;

/** An invoice or credit note as programs are told of it. Those of credits are below zero. */
export const adminInvoice = z
  .object({
    id: said(z.uuid(), 'Its id here; calls about it name it.'),
    number: said(z.string(), 'The number that stands on it.'),
    kind: said(z.enum(invoiceKinds), 'What it is.'),
    customerId: said(z.uuid(), 'Whose it is.'),
    customer: said(z.string(), 'The name of the customer.'),
    status: said(z.enum(invoiceStates), 'Where it stands; `open` also while it is paid in part or overdue.'),
    issuedOn: said(z.string(), 'The day it was issued, `YYYY-MM-DD`.'),
    dueOn: day('The day it is due; null where it says none.'),
    periodFrom: day('First day of its billing period.'),
    periodTo: day('Last day of its billing period.'),
    currency: said(z.string(), 'ISO 4217.'),
    subtotal: decimal('Without tax.'),
    tax: decimal('The tax.'),
    total: decimal('With tax.'),
    rounding: decimal('What rounding adds.'),
    prepaid: decimal('What was paid before it was issued.'),
    payable: decimal('What it asks for: total plus rounding less prepaid.'),
    paid: decimal('What was paid of it, whatever came back since.'),
    credited: decimal('What credits took off it.'),
    reversed: decimal('What came back of what was paid.'),
    beingPaid: decimal('What payments under way hold of it.'),
    due: decimal('What is still due: payable less paid and credited, plus reversed.'),
    createdAt: said(z.string(), 'When it came in, ISO 8601 in UTC.'),
  })
  .check(z.meta({ examples: [exampleInvoice] }));
export type AdminInvoice = z.infer<typeof adminInvoice>;

export const invoicePage = z.object({
  data: z.array(adminInvoice),
  nextCursor: said(z.nullable(z.string()), 'Null on the last page.'),
});

const adminInvoiceLine = z.object({
  lineNo: said(z.int(), 'Its place, from 1.'),
  kind: said(z.enum(['line', 'allowance', 'charge']), '`allowance`, `charge`: on the whole invoice.'),
  label: said(z.string(), 'The kind of product; may be empty.'),
  name: said(z.string(), 'What is billed.'),
  description: said(z.string(), 'More about it; may be empty.'),
  serviceItem: said(z.string(), 'The line, number or device it is about; may be empty.'),
  site: said(z.string(), 'Where it is; may be empty.'),
  costCentre: said(z.nullable(z.string()), 'The cost centre that the invoice gives.'),
  periodFrom: day('First day of what is billed.'),
  periodTo: day('Last day of what is billed.'),
  quantity: decimal('How much.'),
  unit: said(z.string(), 'Of the quantity, UN/ECE Recommendation 20; may be empty.'),
  price: decimal('The price of `baseQuantity`.'),
  baseQuantity: decimal('How much the price is for.'),
  amount: decimal('Without tax.'),
  tax: decimal('Its share of the tax.'),
  taxCategory: said(z.string(), 'UNTDID 5305; may be empty.'),
  taxPercent: z.nullable(decimal('The rate of the tax.')),
  extra: said(z.array(z.string()), 'What the extra columns of transactions show.'),
});
export type AdminInvoiceLine = z.infer<typeof adminInvoiceLine>;

/** An invoice with its lines. */
export const adminInvoiceDetail = z
  .extend(adminInvoice, {
    lines: said(z.array(adminInvoiceLine), 'Its lines in their order, at most 20,000.'),
  })
  .check(
    z.meta({
      examples: [
        {
          ...exampleInvoice,
          lines: [
            {
              lineNo: 1,
              kind: 'line',
              label: 'Internet',
              name: 'Fibre 300',
              description: '',
              serviceItem: 'FIB-1001',
              site: 'Auckland',
              costCentre: null,
              periodFrom: '2026-02-01',
              periodTo: '2026-02-28',
              quantity: '1.000000',
              unit: 'MON',
              price: '100.000000',
              baseQuantity: '1.000000',
              amount: '100.00',
              tax: '15.00',
              taxCategory: 'S',
              taxPercent: '15.0000',
              extra: ['PO-77'],
            },
          ],
        },
      ],
    }),
  );
export type AdminInvoiceDetail = z.infer<typeof adminInvoiceDetail>;

/** Body of `POST /v1/admin/invoices/{id}/void`, `…/dispute` and `…/reopen`. */
export const invoiceStatusChange = z
  .strictObject({ note: said(text(500), 'Why; kept in the audit trail.') })
  .check(z.meta({ examples: [{ note: 'Issued twice' }] }));

/** Body of `POST /v1/admin/invoices/{id}/settle`. */
export const invoiceSettlement = z
  .strictObject({
    reference: said(
      text(100),
      'The provider’s own name of the payment, unique within the reseller; the same again books nothing.',
    ),
    receivedOn: said(z.iso.date(), 'The day the money came.'),
    method: said(z.enum(externalMethods), 'How it came.'),
    note: said(z._default(z.string().check(z.maxLength(500)), ''), 'Kept with the payment.'),
  })
  .check(
    z.meta({
      examples: [{ reference: 'STMT-77-3', receivedOn: '2026-03-14', method: 'bankTransfer', note: '' }],
    }),
  );
export type InvoiceSettlement = z.output<typeof invoiceSettlement>;

/** The provider's own document of an invoice. */
export const invoiceDocument = z
  .object({
    sizeBytes: said(z.int(), 'Of the file.'),
    sha256: said(z.string(), 'Of the file, in hexadecimal.'),
    storedAt: said(z.string(), 'When it came, ISO 8601 in UTC.'),
    isShown: said(
      z.boolean(),
      'False: the invoice was corrected since, and the document that is made here is shown instead.',
    ),
  })
  .check(
    z.meta({
      examples: [
        {
          sizeBytes: 48_213,
          sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
          storedAt: '2026-03-01T10:00:00.000Z',
          isShown: true,
        },
      ],
    }),
  );
export type InvoiceDocument = z.infer<typeof invoiceDocument>;
