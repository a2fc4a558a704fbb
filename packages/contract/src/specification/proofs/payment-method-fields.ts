import { inBrowser, type Proof, type Proofs } from '../row.ts';

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

const methods = 'apps/api/src/features/payment-methods/routes.test.ts';
const listed = by(methods, 'lists it in the common shape and in the gateway’s own');
const sandbox = by(
  'apps/api/test/saved-methods-sandbox.test.ts',
  'are saved, shown in the specification’s shape, changed, made default and removed',
);
const billing = by(
  'apps/api/test/saved-methods-sandbox.test.ts',
  'is saved with a mandate that names address',
);
const badExpiry = by(
  'apps/api/src/features/payment-methods/changes.test.ts',
  'refuses %s as the expiry: Please provide valid date',
  'takes %s',
);
const screen = 'apps/web/src/features/payment-methods';
const form = (...titles: string[]) => by('apps/web/src/lib/bank-entry/bank-form-model.test.ts', ...titles);
const journey = by(
  'e2e/payment-methods.spec.ts',
  'a card is added from the Settings menu, shown, edited, made default and removed',
);
const lengths = form('with numbers of at least five characters: %j');
const bankPage = (...titles: string[]) => by('e2e/payment-methods-bank.spec.ts', ...titles);
const american = bankPage('an American account waits for its small deposit to be verified');
const british = bankPage('a British account needs the address and the words of its mandate');
const drawn = by(
  `${screen}/add-bank-dialog.test.tsx`,
  'has an input, by its name, for each field the gateway asks for, in its order, and no other',
);
const called = form('the field %s is called in %s: %s');
const fields = (area: string, names: readonly string[], tests: readonly Proof[]): Proofs =>
  Object.fromEntries(names.map((name) => [`${area}.${name}`, tests]));

/** Tests that prove rows of payment-method-fields: row id to file and title. */
export const proofs: Proofs = {
  'decisions.6.text.bank-submitted': [
    ...by('apps/web/src/features/public-pay/screens.test.tsx', 'a bank debit on its way'),
    ...by('apps/web/src/lib/bulk-pay/outcome-screens.test.tsx', 'a bank debit on its way'),
    inBrowser('bulk-pay', 'a bank debit is submitted, not successful'),
  ],
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
  ...fields(
    'payments.source.field',
    ['id', 'isDefault', 'brand', 'last4', 'expiry-month', 'expiry-year', 'cardHolderName'],
    listed,
  ),
  ...fields(
    'payments.source.field.address',
    ['line1', 'line2', 'city', 'state', 'postalCode', 'country'],
    [...listed, ...sandbox],
  ),
  ...fields(
    'payments.source.field.billingDetails',
    ['name', 'email', 'phone', 'address'],
    [...listed, ...billing],
  ),
  ...fields(
    'payments.new-card.field',
    [
      ...['cardHolder', 'email'],
      ...['address', 'city', 'state', 'zip', 'country'].map((name) => `billingAddress.${name}`),
    ],
    [
      ...by(
        'e2e/payment-methods-settings.spec.ts',
        'three inputs where the reseller wants them, and the whole billing address where the brand does',
      ),
      ...by(methods, 'tells the gateway what was typed beside the token'),
    ],
  ),
  'payments.expiry.save-disabled': journey,
  'payments.bank.constant.account-min': lengths,
  'payments.bank.constant.routing-min': lengths,
  ...fields(
    'payments.bank-form.field',
    ['accountHolderName', 'routingNumber', 'bankAccountNumber', 'accountType'],
    [...called, ...american],
  ),
  ...fields(
    'payments.bank-form.field',
    ['accountNumber', 'nameOnAccount', 'bankName'],
    [...called, ...drawn],
  ),
  'payments.bank-form.field.phone': [
    ...called,
    ...by(
      'e2e/payment-methods-bank.spec.ts',
      'an Australian account is added with its mandate, edited, made default and removed',
    ),
  ],
  'payments.bank-form.field.address': british,
  'payments.source.constant.short-years': by(
    'apps/web/src/lib/payment-methods/method-words.test.ts',
    'with an expiry of four digits: %s %s',
  ),
  ...fields(
    'payments.expiry',
    [
      ...['constant.month-range', 'constant.month-digits', 'constant.year-digits', 'year-not-past'],
      ...['constant.year-max', 'month-not-past', 'error.invalid'],
    ],
    badExpiry,
  ),
};
