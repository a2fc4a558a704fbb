import * as z from 'zod/mini';
import { said } from '../parts.ts';
import { invoiceKinds } from './admin-invoices.ts';

/** What a provider's programs send to have an invoice be as they say: `PUT /v1/admin/invoices/by-reference/{reference}`. */

const text = (most: number) =>
  z.string().check(
    z.trim(),
    z.minLength(1),
    z.maxLength(most),
    z.refine((one) => !/[^\P{Cc}\n\t]/u.test(one), { error: 'holds control characters' }),
  );
const maybe = <T extends z.ZodMiniType>(schema: T) => z._default(z.nullable(schema), null);
const amount = (what: string) =>
  said(
    z.string().check(z.regex(/^-?\d{1,12}(\.\d{1,3})?$/)),
    `${what} An exact decimal in the currency of the invoice.`,
  );
const rate = (what: string) =>
  said(z.string().check(z.regex(/^-?\d{1,12}(\.\d{1,6})?$/)), `${what} At most six decimals.`);
const percent = (what: string) =>
  said(z.string().check(z.regex(/^\d{1,3}(\.\d{1,4})?$/)), `${what} Percent, at most four decimals.`);
const day = z.iso
  .date()
  .check(
    z.refine((one) => one >= '1900-01-01' && one <= '2199-12-31', { error: 'is not between 1900 and 2199' }),
  );

export const invoiceReference = z.object({
  reference: said(text(200), 'The number of the invoice, which the provider knows it by.'),
});

export const invoiceReferenceQuery = z.object({
  kind: said(
    z._default(z.enum(invoiceKinds), 'invoice'),
    'Numbers of credit notes are numbers of their own.',
  ),
});

/** Something off or on top of an amount. */
const allowance = z.strictObject({
  reason: said(maybe(text(1_000)), 'What for.'),
  isCharge: said(z._default(z.boolean(), false), 'True: it is on top; false: it is taken off.'),
  amount: amount('How much.').check(z.refine((one) => !one.startsWith('-'), { error: 'is below 0' })),
  taxCategory: said(z._default(z.string().check(z.maxLength(10)), ''), 'UNTDID 5305, such as `S`.'),
  taxPercent: maybe(percent('The rate of its tax.')),
});
const allowances = (of: string) => said(z._default(z.array(allowance).check(z.maxLength(100)), []), of);
/** May be left empty. */
const cell = (most: number) =>
  z._default(
    z.string().check(
      z.trim(),
      z.maxLength(most),
      z.refine((one) => !/\p{Cc}/u.test(one), { error: 'holds control characters' }),
    ),
    '',
  );

const line = z.strictObject({
  name: said(text(1_000), 'What is billed.'),
  label: said(cell(200), 'The kind of product, in the first column of transactions.'),
  description: said(maybe(text(2_000)), 'More about it.'),
  serviceItem: said(maybe(text(200)), 'The line, number or device it is about.'),
  site: said(cell(200), 'Where it is; empty: that of the service item.'),
  costCentre: said(maybe(text(200)), 'The cost centre that the invoice gives.'),
  periodFrom: said(maybe(day), 'First day of what is billed; that of the invoice where nothing is said.'),
  periodTo: said(maybe(day), 'Last day of what is billed.'),
  quantity: z._default(rate('How much.'), '1'),
  unit: said(z._default(z.string().check(z.maxLength(10)), ''), 'Of the quantity, UN/ECE Recommendation 20.'),
  price: rate('The price of `baseQuantity`.'),
  baseQuantity: z._default(rate('How much the price is for.'), '1'),
  amount: amount('Quantity times price, less what is taken off, plus what is on top, without tax.'),
  allowances: allowances('What its amount has off or on top already.'),
  taxCategory: said(z._default(z.string().check(z.maxLength(10)), ''), 'UNTDID 5305, such as `S`.'),
  taxPercent: maybe(percent('The rate of its tax.')),
  extra: said(
    z._default(z.array(z.string().check(z.trim(), z.maxLength(200))).check(z.maxLength(5)), []),
    'What the extra columns of transactions show, in their order.',
  ),
});

const exampleInvoice = {
  customer: 'C-1001',
  issuedOn: '2026-03-01',
  dueOn: '2026-03-15',
  currency: 'NZD',
  periodFrom: '2026-02-01',
  periodTo: '2026-02-28',
  lines: [
    {
      name: 'Fibre 300',
      label: 'Internet',
      serviceItem: 'FIB-1001',
      quantity: '1',
      price: '100.00',
      amount: '100.00',
      taxCategory: 'S',
      taxPercent: '15',
      extra: ['PO-77'],
    },
  ],
  taxes: [{ category: 'S', percent: '15', taxable: '100.00', amount: '15.00' }],
  subtotal: '100.00',
  tax: '15.00',
  total: '115.00',
  payable: '115.00',
};

/**
 * All that is kept of an invoice; what is left out is taken away. Sums have to be exact. A credit note's amounts are what it
 * gives back, not below zero.
 */
export const invoiceValues = z
  .strictObject({
    customer: said(text(200), 'Our id of the customer, or the provider’s own reference of it.'),
    kind: said(z._default(z.enum(invoiceKinds), 'invoice'), 'What it is.'),
    issuedOn: said(day, 'The day it was issued.'),
    dueOn: said(maybe(day), 'The day it is due.'),
    currency: said(z.string().check(z.regex(/^[A-Z]{3}$/)), 'ISO 4217.'),
    periodFrom: said(maybe(day), 'First day of its billing period.'),
    periodTo: said(maybe(day), 'Last day of its billing period.'),
    agreement: said(
      maybe(text(200)),
      'The provider’s reference of the agreement, or its name; else the first.',
    ),
    lines: said(z.array(line).check(z.minLength(1), z.maxLength(5_000)), 'Its lines in their order.'),
    taxes: said(
      z._default(
        z
          .array(
            z.strictObject({
              category: said(z._default(z.string().check(z.maxLength(10)), ''), 'UNTDID 5305.'),
              percent: maybe(percent('The rate.')),
              taxable: amount('What it is on.'),
              amount: amount('The tax.'),
            }),
          )
          .check(z.maxLength(50)),
        [],
      ),
      'What the tax is made of; without it lines have no tax of their own.',
    ),
    allowances: allowances(
      'What is off or on top of the whole invoice; each is a line of its own in the portal.',
    ),
    subtotal: amount('Its lines, less what is taken off, plus what is on top, without tax.'),
    tax: z._default(amount('The tax.'), '0'),
    total: amount('With tax.'),
    rounding: z._default(amount('What rounding adds.'), '0'),
    prepaid: z._default(amount('What was paid before it was issued.'), '0'),
    payable: amount('What it asks for: total plus rounding less prepaid.'),
    credits: said(
      z._default(z.array(text(200)).check(z.maxLength(100)), []),
      'Numbers of the invoices that a credit note credits.',
    ),
    note: said(maybe(text(5_000)), 'Words on the invoice.'),
    paymentTerms: said(maybe(text(1_000)), 'How it is to be paid, on the invoice.'),
    buyerReference: said(maybe(text(200)), 'What the customer wants to see named.'),
    orderReference: said(maybe(text(200)), 'The customer’s order.'),
  })
  .check(z.meta({ examples: [exampleInvoice] }));
export type InvoiceValues = z.output<typeof invoiceValues>;

/** A line of `POST /v1/admin/invoices/bulk`: an invoice by its number. */
export const bulkInvoice = z.extend(invoiceValues, { reference: invoiceReference.shape.reference });
