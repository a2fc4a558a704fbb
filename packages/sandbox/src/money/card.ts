/** Test cards: a number decides what the card's bank says. The number is used once; only the row's name is kept. */
import { passesLuhn } from '../pages/card-frame/card-rules.ts';

/** When the bank wants the cardholder to authenticate. */
export type Authentication =
  | 'never'
  | 'always'
  /** Until the card was set up once for payments without the customer. */
  | 'untilSetUp';

/** @typeParam D how the gateway words a refusal */
export interface CardBehaviour<D> {
  readonly brand: string;
  readonly last4: string;
  readonly funding?: 'debit' | 'prepaid';
  readonly country?: string;
  readonly authentication?: Authentication;
  /** How the bank refuses; with authentication, after it. */
  readonly decline?: D;
  /** Saving works, only paying is refused. */
  readonly savable?: true;
  /** Reason for which the payment is charged back. */
  readonly disputed?: string;
}

/** A number, its names (the first is the one that is kept), and what the card does. */
export type CardRow<D> = readonly [number: string, names: string, behaviour: Omit<CardBehaviour<D>, 'last4'>];

export class CardTable<D> {
  readonly #byNumber = new Map<string, string>();
  readonly #byName = new Map<string, CardBehaviour<D>>();

  constructor(rows: readonly CardRow<D>[]) {
    for (const [number, names, behaviour] of rows) {
      for (const name of names.split(' ')) this.#byName.set(name, { ...behaviour, last4: number.slice(-4) });
      this.#byNumber.set(number, names.split(' ', 1)[0] ?? '');
    }
  }

  /** The behaviour's name for a number, if it is a test card. */
  nameOf(number: string): string | undefined {
    return this.#byNumber.get(number);
  }

  named(name: string): CardBehaviour<D> | undefined {
    return this.#byName.get(name);
  }
}

export type CardProblem = 'number' | 'month' | 'year';

/** What is wrong with a card before its bank is asked; `year` has four digits. */
export function cardProblem(number: string, month: number, year: number, now: Date): CardProblem | undefined {
  if (!/^\d{12,19}$/.test(number) || !passesLuhn(number)) return 'number';
  if (month < 1 || month > 12) return 'month';
  const thisYear = now.getUTCFullYear();
  if (year < thisYear || year > thisYear + 50) return 'year';
  return isExpired(month, year, now) ? 'month' : undefined;
}

/** Whether the card's last month is over. */
export function isExpired(month: number, year: number, now: Date): boolean {
  return year * 12 + month < now.getUTCFullYear() * 12 + now.getUTCMonth() + 1;
}

export type Verdict<D> =
  | { readonly is: 'approved' }
  | { readonly is: 'challenged' }
  | { readonly is: 'declined'; readonly decline: D };

export interface Asked {
  readonly purpose: 'pay' | 'save';
  readonly offSession: boolean;
  /** The cardholder has just passed the challenge. */
  readonly challenged: boolean;
  /** The card was set up for payments without the customer before. */
  readonly setUp: boolean;
}

/**
 * What the bank says to paying with, or saving, a card.
 * @param unauthenticated how the gateway words a refusal for want of authentication
 */
export function judge<D>(card: CardBehaviour<D>, asked: Asked, unauthenticated: D): Verdict<D> {
  const { authentication = 'never' } = card;
  const mustAuthenticate = authentication === 'always' || (authentication === 'untilSetUp' && !asked.setUp);
  if (!asked.challenged && mustAuthenticate)
    return asked.offSession ? { is: 'declined', decline: unauthenticated } : { is: 'challenged' };
  const savedAnyway = asked.purpose === 'save' && card.savable === true;
  return card.decline === undefined || savedAnyway
    ? { is: 'approved' }
    : { is: 'declined', decline: card.decline };
}
