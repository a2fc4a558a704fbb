import * as z from 'zod/mini';
import { calendarDay, customerNamed, exactAmount, nextCursor, ownedParts, said } from '../parts.ts';

/** What a provider's programs call about opening balances and corrections of a balance: `/v1/admin/adjustments`. */

const kinds = ['openingBalance', 'adjustment'] as const;

const exampleAdjustment = {
  kind: 'openingBalance' as const,
  amount: '125.00',
  currency: 'NZD',
  bookedOn: '2026-02-28',
  note: 'Balance of the former system',
};

/** Body of `PUT /v1/admin/adjustments/by-reference/{reference}`: all that is kept. */
export const adjustmentValues = z
  .strictObject({
    customer: customerNamed,
    kind: said(
      z._default(z.enum(kinds), 'adjustment'),
      '`openingBalance`: what was owed before the portal; `adjustment`: anything else that no document says.',
    ),
    amount: exactAmount(
      'Above 0: the customer owes it; below 0: it is the customer’s credit, which pays invoices.',
    ).check(z.refine((text) => /[1-9]/.test(text), { error: 'is 0' })),
    currency: said(z.string().check(z.regex(/^[A-Z]{3}$/)), 'ISO 4217.'),
    bookedOn: said(calendarDay, 'The day on which statements show it; none to come.'),
    note: said(z._default(z.string().check(z.trim(), z.maxLength(500)), ''), 'What it is about.'),
  })
  .check(z.meta({ examples: [{ customer: 'C-1001', ...exampleAdjustment }] }));
export type AdjustmentValues = z.output<typeof adjustmentValues>;

/** An adjustment as programs are told of it. */
export const adminAdjustment = z
  .object({
    ...ownedParts,
    kind: z.enum(kinds),
    amount: said(z.string(), 'Above 0: owed; below 0: credit.'),
    currency: z.string(),
    bookedOn: z.string(),
    note: z.string(),
  })
  .check(
    z.meta({
      examples: [
        {
          id: '0199a3c1-6f0e-7c55-9d3e-0c6e0a4f7b37',
          reference: 'OB-1001',
          customerId: '0199a3c1-6f0e-7c55-9d3e-0c6e0a4f7b21',
          customer: 'C-1001',
          ...exampleAdjustment,
        },
      ],
    }),
  );
export const adjustmentPage = z.object({ data: z.array(adminAdjustment), nextCursor });
