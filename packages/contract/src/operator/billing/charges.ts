import * as z from 'zod/mini';
import {
  calendarDay,
  customerNamed,
  exactAmount,
  exactRate,
  maybe,
  nextCursor,
  ownedParts,
  said,
  textLine,
} from '../parts.ts';
import { agreementNamed } from './agreements.ts';

/** What a provider's programs call about charges that no invoice carries yet: `/v1/admin/charges`. */

const exampleCharge = {
  name: 'Number reservation',
  label: 'One-off',
  description: '',
  service: 'voice',
  serviceItem: '+64 9 555 0100',
  agreement: 'A-1',
  site: 'Auckland',
  costCentre: null,
  from: '2026-03-01',
  to: '2026-03-31',
  quantity: '2',
  unit: '',
  price: '5',
  currency: 'NZD',
  amount: '10.00',
  tax: '1.50',
  extra: ['PO-77'],
};

const text = (most: number) => z._default(z.string().check(z.trim(), z.maxLength(most)), '');

/** Body of `PUT /v1/admin/charges/by-reference/{reference}`: all that is kept. */
export const chargeValues = z
  .strictObject({
    customer: customerNamed,
    name: said(textLine(1_000), 'What is charged.'),
    label: said(text(200), 'The kind of product, in the first column of transactions.'),
    description: said(text(2_000), 'More about it.'),
    service: said(maybe(textLine(100)), 'The code of its service; null: that of the service item.'),
    serviceItem: said(text(200), 'The line, number or device it is about.'),
    agreement: agreementNamed,
    site: said(text(200), 'Where it is.'),
    costCentre: said(maybe(textLine(200)), 'The cost centre that the provider gives.'),
    from: said(calendarDay, 'First day of what is charged; it decides in which period it stands.'),
    to: said(maybe(calendarDay), 'Last day of what is charged.'),
    quantity: z._default(exactRate('How much.'), '1'),
    unit: said(text(10), 'Of the quantity, UN/ECE Recommendation 20.'),
    price: exactRate('Of one.'),
    currency: said(z.string().check(z.regex(/^[A-Z]{3}$/)), 'ISO 4217.'),
    amount: exactAmount('Quantity times price, without tax.'),
    tax: z._default(exactAmount('The tax.'), '0'),
    extra: said(
      z._default(z.array(z.string().check(z.trim(), z.maxLength(200))).check(z.maxLength(5)), []),
      'What the extra columns of transactions show, in their order.',
    ),
  })
  .check(z.meta({ examples: [{ customer: 'C-1001', ...exampleCharge }] }));
export type ChargeValues = z.output<typeof chargeValues>;

/** A charge as programs are told of it. */
export const adminCharge = z
  .object({
    ...ownedParts,
    name: z.string(),
    label: z.string(),
    description: z.string(),
    service: said(z.nullable(z.string()), 'The code of its service.'),
    serviceItem: z.string(),
    agreement: said(z.nullable(z.string()), 'The provider’s own reference of its agreement, else our id.'),
    site: z.string(),
    costCentre: z.nullable(z.string()),
    from: z.nullable(z.string()),
    to: z.nullable(z.string()),
    quantity: z.string(),
    unit: z.string(),
    price: z.string(),
    currency: z.string(),
    amount: said(z.string(), 'Without tax.'),
    tax: z.string(),
    extra: z.array(z.string()),
  })
  .check(
    z.meta({
      examples: [
        {
          id: '0199a3c1-6f0e-7c55-9d3e-0c6e0a4f7b36',
          reference: 'CH-1',
          customerId: '0199a3c1-6f0e-7c55-9d3e-0c6e0a4f7b21',
          customer: 'C-1001',
          ...exampleCharge,
        },
      ],
    }),
  );
export const chargePage = z.object({ data: z.array(adminCharge), nextCursor });
