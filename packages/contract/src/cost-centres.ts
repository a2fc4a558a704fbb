import * as z from 'zod/mini';

/** The most service items one change can set at once. */
export const COST_CENTRE_ITEMS_MAX = 5_000;

/** Body of `PUT /v1/ec/cost-centres`: allocates many service items at once. Blank is null, as for one. */
export const costCentreAllocation = z.object({
  serviceItemIds: z.array(z.uuid()).check(z.minLength(1), z.maxLength(COST_CENTRE_ITEMS_MAX)),
  costCentre: z.pipe(
    z.nullable(z.string().check(z.trim(), z.maxLength(200))),
    z.transform((text) => (text === '' ? null : text)),
  ),
});
export type CostCentreAllocation = z.infer<typeof costCentreAllocation>;

/** A change of descriptions or cost centres that can be undone. `changeId` is null when nothing had to change. */
export const costCentreChanged = z.object({ changeId: z.nullable(z.string()), changed: z.int() });
export type CostCentreChanged = z.infer<typeof costCentreChanged>;

/** `skipped`: items that somebody changed again since; they stay as they are. */
export const costCentreUndone = z.object({
  changeId: z.nullable(z.string()),
  changed: z.int(),
  skipped: z.int(),
});
export type CostCentreUndone = z.infer<typeof costCentreUndone>;

/** One earlier change, newest first. */
export const costCentreChange = z.object({
  id: z.string(),
  at: z.string(),
  by: z.string(),
  items: z.int(),
  /** What it was set to, where it was the same for all items; null: taken away. */
  costCentre: z.nullable(z.string()),
  canUndo: z.boolean(),
});
export type CostCentreChange = z.infer<typeof costCentreChange>;

const day = z.iso.date();
/** `GET /v1/ec/cost-centres/summary`: invoices issued from `dateFrom` to `dateTo`, both included. */
export const costCentreSummaryQuery = z.object({ dateFrom: day, dateTo: day });

const money = { amount: z.number(), tax: z.number(), total: z.number() };

/** What a cost centre cost; null: what is allocated to none. */
export const costCentreCost = z.object({
  costCentre: z.nullable(z.string()),
  serviceItems: z.int(),
  ...money,
});
export type CostCentreCost = z.infer<typeof costCentreCost>;

/**
 * Cost by cost centre, one part per currency. The parts and the difference (rounding, and invoices that do not add up)
 * make the invoices' total to the cent.
 */
export const costCentreSummary = z.object({
  /** The day whose allocation is shown: today, the current one applies to the past too. */
  allocationOf: z.string(),
  currencies: z.array(
    z.object({
      currency: z.string(),
      invoices: z.int(),
      costCentres: z.array(costCentreCost),
      difference: z.object(money),
      total: z.object(money),
    }),
  ),
});
export type CostCentreSummary = z.infer<typeof costCentreSummary>;
