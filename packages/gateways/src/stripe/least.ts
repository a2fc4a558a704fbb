/**
 * The least amounts Stripe charges, in minor units. Only those it names: where an account is paid out in another currency the
 * least of that one counts as well, and Stripe itself refuses.
 * https://docs.stripe.com/currencies#minimum-and-maximum-charge-amounts
 */
export const leastCharges: Readonly<Record<string, number>> = {
  USD: 50,
  AUD: 50,
  BRL: 50,
  CAD: 50,
  CHF: 50,
  EUR: 50,
  INR: 50,
  NZD: 50,
  SGD: 50,
  JPY: 50,
  GBP: 30,
  BGN: 100,
  AED: 200,
  MYR: 200,
  PLN: 200,
  RON: 200,
  DKK: 250,
  NOK: 300,
  SEK: 300,
  HKD: 400,
  MXN: 1_000,
  THB: 1_000,
  CZK: 1_500,
  HUF: 17_500,
};
