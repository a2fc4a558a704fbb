/** A card being entered: checks the fields as the card form's gateway would, and forgets the number. */

import { digest } from '@counterfoil/sandbox/ids.ts';
import { cardProblem } from '@counterfoil/sandbox/money/card.ts';
import { group, id, ignored, text, whole } from '@counterfoil/sandbox/params.ts';
import { cards, declines } from './cards.ts';
import { StripeFault } from './errors.ts';

export const cardFields = group({
  number: text(40),
  exp_month: whole(),
  exp_year: whole(),
  cvc: text(10),
  token: id(),
  name: text(),
  address_line1: text(),
  address_line2: text(),
  address_city: text(),
  address_state: text(),
  address_zip: text(),
  address_country: text(),
  currency: text(),
  networks: ignored,
});

export interface CardEntry {
  readonly number: string;
  readonly exp_month: number | undefined;
  readonly exp_year: number | undefined;
  readonly cvc: string | null | undefined;
}

export interface EnteredCard {
  readonly behaviour: string;
  readonly hash: Readonly<Record<string, unknown>>;
}

/**
 * @throws {StripeFault} 402 card_error with the code and parameter of the wrong field
 */
export function enterCard(entry: CardEntry, now: Date): EnteredCard {
  const number = entry.number.replace(/[\s-]/g, '');
  const month = entry.exp_month ?? 0;
  const year = fullYear(entry.exp_year ?? 0);
  switch (cardProblem(number, month, year, now)) {
    case 'number':
      throw fieldFault('incorrect_number', 'number', 'Your card number is incorrect.');
    case 'month':
      throw fieldFault('invalid_expiry_month', 'exp_month', "Your card's expiration month is invalid.");
    case 'year':
      throw fieldFault('invalid_expiry_year', 'exp_year', "Your card's expiration year is invalid.");
  }
  const behaviour = cards.nameOf(number);
  const card = behaviour === undefined ? undefined : cards.named(behaviour);
  if (behaviour === undefined || card === undefined) {
    throw new StripeFault(402, 'card_error', declines.live.message, {
      code: declines.live.code,
      decline_code: declines.live.decline_code,
    });
  }
  const cvc = entry.cvc ?? undefined;
  if (cvc !== undefined && !(card.brand === 'amex' ? /^\d{3,4}$/ : /^\d{3}$/).test(cvc)) {
    throw fieldFault('invalid_cvc', 'cvc', "Your card's security code is invalid.");
  }
  return { behaviour, hash: cardHash(behaviour, month, year, cvc !== undefined) };
}

/** The card as it is read back, for a behaviour of the table. */
export function cardHash(
  behaviour: string,
  month: number,
  year: number,
  cvcGiven: boolean,
): Readonly<Record<string, unknown>> {
  const card = cards.named(behaviour) ?? { brand: 'unknown', last4: '0000' };
  return {
    brand: card.brand,
    checks: {
      address_line1_check: card.line1Check ?? null,
      address_postal_code_check: card.postalCheck ?? null,
      cvc_check: cvcGiven ? (card.cvcCheck ?? 'pass') : null,
    },
    country: card.country ?? 'US',
    display_brand: card.brand,
    exp_month: month,
    exp_year: year,
    // Made from the name in the table: the same card gives the same print, and no number can be found from it.
    fingerprint: digest('card', behaviour).replace(/[-_]/g, '').slice(0, 16),
    funding: card.funding ?? 'credit',
    generated_from: null,
    last4: card.last4,
    networks: { available: [card.brand], preferred: null },
    regulated_status: 'unregulated',
    three_d_secure_usage: { supported: true },
    wallet: null,
  };
}

function fullYear(year: number): number {
  return year >= 0 && year < 100 ? 2000 + year : year;
}

function fieldFault(code: string, param: string, message: string): StripeFault {
  return new StripeFault(402, 'card_error', message, { code, param });
}
