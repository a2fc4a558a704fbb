import * as z from 'zod/mini';

/** `GET /v1/ec/opening-balance`: owed at the start of the current month, in the brand's currency; positive is owed. */
export const openingBalance = z.object({ balance: z.number() });
export type OpeningBalance = z.infer<typeof openingBalance>;

/** `GET /v1/ec/credit`: what the customer stands in credit and payments will use, by currency; none at 0. */
export const credit = z.object({ currency: z.string(), amount: z.number() });
export type Credit = z.infer<typeof credit>;

/** Data used in a period, in bytes. */
export const jasperUsage = z.object({ periodLabel: z.string(), dataUsage: z.number() });
export type JasperUsage = z.infer<typeof jasperUsage>;
/** How many periods `GET /v1/ec/jasper-usage` answers; `/all` answers every one. */
export const JASPER_PERIODS = 5;

/** What may be used in the current month, and how much of it was. `consumption` may be more than `quantity`. */
export const bundle = z.object({
  bundleName: z.string(),
  bundle_products: z.array(
    z.object({
      productName: z.string(),
      serviceItem: z.nullable(z.string()),
      quantity: z.number(),
      unitLabel: z.string(),
      consumption: z.number(),
    }),
  ),
});
export type Bundle = z.infer<typeof bundle>;

const amounts = { subtotal: z.number(), tax: z.number(), total: z.number() };

/**
 * `GET /v1/ec/next-bill`: what has been charged but not invoiced yet, by currency. Never final: more usage may come,
 * and discounts, rounding and taxes are the invoice's.
 */
export const nextBill = z.object({
  asOf: z.string(),
  currencies: z.array(
    z.object({
      currency: z.string(),
      dateFrom: z.nullable(z.string()),
      dateTo: z.nullable(z.string()),
      charges: z.array(z.object({ name: z.string(), lines: z.int(), ...amounts })),
      ...amounts,
    }),
  ),
  /** Usage of the current month that no invoice line carries yet, by service; `price` where records have one. */
  usage: z.array(z.object({ service: z.string(), records: z.int(), price: z.number() })),
});
export type NextBill = z.infer<typeof nextBill>;
