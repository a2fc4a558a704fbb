import type { Proof, Proofs } from '../row.ts';

const by = (file: string, ...titles: string[]): readonly Proof[] => titles.map((title) => ({ file, title }));
const session = 'packages/gateways/src/stripe/browser/card-session.test.ts';
const entered = by(session, 'requires number, expiry and code');
const payFile = 'e2e/public-pay.spec.ts';
const blocked = by(
  payFile,
  'what is missing is said: beside the button, and in a summary that leads to the field',
);
const strict = by(payFile, 'card holder and billing address are required where the brand says so');
const required = [
  ...by(
    'apps/web/src/features/public-pay/pay-form-model.test.ts',
    'card holder and the whole billing address are required where the brand requires them',
  ),
  ...strict,
];

/** Tests that prove rows of payment-method-fields: row id to file and title. */
export const proofs: Proofs = {
  'payments.card.number-required': entered,
  'payments.card.expiry-required': entered,
  'payments.card.input-errors-block': [
    ...by(session, 'shows the provider’s own message at the field, and blocks on it'),
    ...blocked,
  ],
  'payments.card.submit-disabled': strict,
  'payments.card.holder-when-brand': required,
  'payments.card.address-address': required,
  'payments.card.address-city': required,
  'payments.card.address-state': required,
  'payments.card.address-zip': required,
  'payments.card.address-country': required,
};
