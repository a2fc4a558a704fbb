import type { DemoSample } from '@counterfoil/gateways/port/demo.ts';

/** A saved method of the demo world, as its holder would have added it. */
export interface DemoMethod {
  /** Whose: the key of a demo customer. */
  readonly customer: string;
  /** Position among the customer's methods, from 1: the first card is the default. */
  readonly place: number;
  readonly sample: DemoSample;
  /** Months from the present one to the last one a card is valid in; below zero it has expired since. */
  readonly expiresIn?: number;
}

type Entry = Omit<DemoMethod, 'customer' | 'place'>;

const one = (sample: DemoSample, expiresIn?: number): Entry => ({
  sample,
  ...(expiresIn === undefined ? {} : { expiresIn }),
});

/**
 * Who has which. The other customers have none: among them `mariner`, `keepers` and `blank`, so that an empty list is
 * there to be seen too.
 */
const entries: Readonly<Record<string, readonly Entry[]>> = {
  byron: [one('card.visa', 31), one('card.mastercard', 1), one('card.amex', -2)],
  kestrel: [one('card.mastercardDebit', 20), one('account.us')],
  wattle: [one('card.au', 26), one('account.au')],
  arroyo: [one('account.usOther')],
  fenwick: [one('account.gb'), one('card.visa', 14)],
  quandong: [one('card.au'), one('card.mastercard')],
  cottonwood: [one('card.visa', 21), one('account.us')],
  saguaro: [one('card.visa'), one('card.amex'), one('account.us')],
  erable: [one('card.visa', 19), one('card.mastercard')],
  channel: [one('card.visa'), one('card.mastercard', 25), one('account.us')],
  corio: [one('card.au'), one('account.au')],
  moewe: [one('account.eu'), one('card.mastercard', 8)],
  skerry: [one('account.gb')],
};

export const demoMethods: readonly DemoMethod[] = Object.entries(entries).flatMap(([customer, methods]) =>
  methods.map((entry, at) => ({ ...entry, customer, place: at + 1 })),
);

/** Customers who have agreed that due invoices are charged to their default method. */
export const demoAutoPay: readonly string[] = ['wattle'];
