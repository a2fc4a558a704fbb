/** A saved method of the demo world, as its holder would have added it. */
export interface DemoMethod {
  /** Whose: the key of a demo customer. */
  readonly customer: string;
  /** Position among the customer's methods, from 1: the first card is the default. */
  readonly place: number;
  readonly scheme: 'card' | 'au_becs_debit' | 'us_bank_account' | 'bacs_debit' | 'sepa_debit';
  /** What the provider's form sends, in the words of its interface; the cards are the provider's test tokens. */
  readonly entered: Readonly<Record<string, string>>;
  /** Months from the present one to the last one a card is valid in; below zero it has expired since. */
  readonly expiresIn?: number;
}

type Entry = Omit<DemoMethod, 'customer' | 'place'>;

const card = (token: string, expiresIn?: number): Entry => ({
  scheme: 'card',
  entered: { 'card[token]': token },
  ...(expiresIn === undefined ? {} : { expiresIn }),
});

const bank = (scheme: Exclude<Entry['scheme'], 'card'>, fields: Readonly<Record<string, string>>): Entry => ({
  scheme,
  entered: Object.fromEntries(Object.entries(fields).map(([name, value]) => [`${scheme}[${name}]`, value])),
});

/**
 * Who has which. The other customers have none: among them `mariner`, `keepers` and `blank`, so that an empty list is
 * there to be seen too.
 */
const entries: Readonly<Record<string, readonly Entry[]>> = {
  byron: [card('tok_visa_debit', 31), card('tok_mastercard_2series', 1), card('tok_amex_second', -2)],
  kestrel: [
    card('tok_mastercard_debit', 20),
    bank('us_bank_account', {
      routing_number: '110000000',
      account_number: '000882714420',
      account_holder_type: 'company',
      account_type: 'checking',
    }),
  ],
  wattle: [card('tok_au', 26), bank('au_becs_debit', { bsb_number: '062000', account_number: '104478212' })],
  arroyo: [
    bank('us_bank_account', {
      routing_number: '110000000',
      account_number: '000440917735',
      account_holder_type: 'company',
      account_type: 'checking',
    }),
  ],
  fenwick: [
    bank('bacs_debit', { sort_code: '108800', account_number: '55779911' }),
    card('tok_visa_debit', 14),
  ],
  moewe: [bank('sepa_debit', { iban: 'DE02200505501015871393' }), card('tok_mastercard_2series', 8)],
};

export const demoMethods: readonly DemoMethod[] = Object.entries(entries).flatMap(([customer, methods]) =>
  methods.map((entry, at) => ({ ...entry, customer, place: at + 1 })),
);

/** Customers who have agreed that due invoices are charged to their default method. */
export const demoAutoPay: readonly string[] = ['wattle'];
