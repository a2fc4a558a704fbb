import type { Proof, Proofs } from '../row.ts';

const by = (file: string, ...titles: string[]): readonly Proof[] => titles.map((title) => ({ file, title }));
const routes = 'apps/api/src/features/public-pay/routes.test.ts';
const priced = by(
  'apps/api/test/paying-answers.test.ts',
  'prices by the fee of this brand and of a card, which is no part of the amount due',
);

/** Tests that prove rows of bulk-pay: row id to file and title. */
export const proofs: Proofs = {
  'decisions.6.fee-per-brand': priced,
  'decisions.6.fee-parts': by(
    'packages/domain/src/fee.test.ts',
    'due %i at %i bp + %i, cap %s: %i',
    'never falls below 0, never exceeds the cap',
  ),
  'decisions.6.fee-once': by(routes, 'takes the amount due and the fee once and marks the invoice paid'),
  'decisions.6.fee-not-due': [
    ...priced,
    ...by(
      'apps/api/src/features/invoices/figures.test.ts',
      'amount is the total, the fee is no part of what is due',
    ),
  ],
};
