import { defineMessages } from '../text/catalogue.ts';
import { formatMoney } from '../text/format.ts';

const t = defineMessages({
  lessDue: 'You were asked for {asked}, but only {amount} was taken. {due} is still to be paid.',
  /** Whether anything is still due is not known. */
  lessUnknown: 'You were asked for {asked}, but only {amount} was taken.',
  less: 'You were asked for {asked}, but only {amount} was taken. Nothing more is to be paid.',
  more: 'You were asked for {asked}, and {amount} was taken. What is too much is kept as your credit.',
  rest: 'Pay the rest',
});

/** On the button that leads to paying what is still due. */
export const payRestLabel = t('rest');

/** What was taken by a payment that went through; decimal texts. */
export interface TakenAmount {
  readonly amount: string | undefined;
  /** What was asked for, where that is another amount. */
  readonly asked: string | undefined;
  /** What is still to be paid, '0' for nothing; undefined: not known. */
  readonly stillDue: string | undefined;
}

/** What the payer is told where another amount was taken than was asked for; undefined where it was that amount. */
export function otherAmountText(
  { amount, asked, stillDue }: TakenAmount,
  currency?: string,
): string | undefined {
  if (amount === undefined || asked === undefined) return undefined;
  const money = (text: string) => formatMoney(text, { currency });
  const both = { amount: money(amount), asked: money(asked) };
  if (Number(amount) > Number(asked)) return t('more', both);
  if (stillDue === undefined) return t('lessUnknown', both);
  return Number(stillDue) > 0 ? t('lessDue', { ...both, due: money(stillDue) }) : t('less', both);
}
