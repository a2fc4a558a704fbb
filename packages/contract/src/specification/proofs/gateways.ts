import type { Proof, Proofs } from '../row.ts';

const by = (file: string, ...titles: string[]): readonly Proof[] => titles.map((title) => ({ file, title }));
const faults = by('apps/api/test/payments-faults.test.ts', 'afterwards the journal and the books agree');
const news = by(
  'apps/api/src/features/payments/engine-money.test.ts',
  'is asked for again while the gateway cannot tell, and its money becomes credit once',
);
const codes = by(
  'apps/api/test/gateway-codes.test.ts',
  'the payment type is 0 without a gateway and 1 for Stripe',
);
const session = 'packages/gateways/src/stripe/browser/card-session.test.ts';
const rawBytes = by(
  'apps/api/test/webhook-bytes.test.ts',
  'hands the bytes that came to the gateway, which verifies them before anything is parsed',
);

const debits = by(
  'packages/gateways/src/stripe/vault.test.ts',
  'direct debits by their number in the settings',
);
const sandbox = 'apps/api/test/saved-methods-sandbox.test.ts';
const stripeFields = (names: readonly string[], tests: readonly Proof[]): Proofs =>
  Object.fromEntries(names.map((name) => [`payments.stripe.${name}`, tests]));

const form = (...titles: string[]) => by('apps/web/src/lib/bank-entry/bank-form-model.test.ts', ...titles);
const accountHolder = form('under a name of at least four characters: %j');

const methods = 'apps/web/src/features/payment-methods';
/** The server says what the reseller's gateway can do, and each screen follows that. */
const adapts = [
  ...by(
    'apps/api/src/features/payment-methods/settings-routes.test.ts',
    'are the settings, and what the gateway can do',
    'without a gateway are those of type 0, and every list is empty',
  ),
  ...by(
    `${methods}/payment-methods-page.test.tsx`,
    'offer what the gateway can do and nothing else',
    'title bank accounts as the gateway says: %s',
  ),
  ...by(
    `${methods}/add-bank-dialog.test.tsx`,
    'has an input, by its name, for each field the gateway asks for, in its order, and no other',
  ),
  ...by(
    'apps/web/src/features/bulk-pay/checkout.test.tsx',
    'offers a new method only where the provider allows it inline',
    'says how to configure a method where none is saved and one is required',
  ),
  ...codes,
];

/** Tests that prove rows of gateways: row id to file and title. */
export const proofs: Proofs = {
  'decisions.2.call.webhooks': [...news, ...faults],
  'decisions.2.webhook-signature': [
    ...by(
      'packages/gateways/src/stripe/webhook.test.ts',
      'is taken when its signature fits',
      'is refused when one byte changed',
    ),
    ...rawBytes,
  ],
  'payments.gateway.adapts': adapts,
  'payments.gateway.constant.code.0': codes,
  'payments.gateway.constant.code.1': codes,
  'payments.stripe.card-country': by(
    'e2e/payment-methods.spec.ts',
    'a card is added from the Settings menu, shown, edited, made default and removed',
  ),
  'payments.stripe.constant.account-name-min': accountHolder,
  'payments.stripe.debit-name': accountHolder,
  'payments.stripe.debit-email': form('with an e-mail address of the simple pattern: %j'),
  'payments.stripe.control.debit-mandate': [
    ...form('with all that is asked for, and the mandate agreed to'),
    ...by(
      'e2e/payment-methods-bank.spec.ts',
      'an Australian account is added with its mandate, edited, made default and removed',
    ),
  ],
  'payments.stripe.constant.iban': [
    ...by(
      'packages/gateways/src/stripe/browser/bank-account.test.ts',
      'is in a SEPA country: an IBAN such as %j is not sent',
    ),
    ...by('e2e/payment-methods-bank.spec.ts', 'a European account is an IBAN of a SEPA country'),
  ],
  'payments.stripe.error.card-area': by(
    session,
    'shows the provider’s own message at the field, and blocks on it',
    'shows what the provider says against a card at the field it is about',
  ),
  'payments.stripe.constant.locale': by(session, 'asks the provider for fields in the locale en'),
  ...stripeFields(
    [
      ...['brand', 'last4', 'name', 'expMonth', 'year'].map((name) => `field.stripeCard.${name}`),
      ...['field.aubecsDebit.bsbNumber', 'field.aubecsDebit.last4'],
      ...['field.bacsDebit.sort_code', 'field.bacsDebit.last4'],
      ...['field.usbankAccount.routing_number', 'field.usbankAccount.last4'],
    ],
    by('packages/gateways/src/stripe/vault.test.ts', 'shows %s under the specification’s names'),
  ),
  ...stripeFields(
    ['bank_code', 'last4', 'country'].map((name) => `field.sepaDebit.${name}`),
    by('packages/gateways/src/stripe/vault.test.ts', 'shows bank, owner and address apart'),
  ),
  ...stripeFields(
    [1, 2, 3, 4].map((id) => `constant.direct-debit-${id}`),
    debits,
  ),
  ...stripeFields(
    ['call.checkout-session', 'field.checkout-session.url', 'checkout-redirect'],
    [
      ...by(
        'apps/api/src/features/bulk-pay/checkout.test.ts',
        'answers the gateway’s session id, and its address beside it; a card’s fee is in it',
      ),
      ...by(
        'apps/api/test/bulk-pay-sandbox.test.ts',
        'is paid on Stripe’s own page, and known by its webhook',
      ),
    ],
  ),
  ...stripeFields(['call.setup-intent-get'], by(sandbox, 'is offered by the set-up for the script')),
  ...stripeFields(
    ['call.setup-intent-post', 'field.setup-intent.paymentMethodId', 'field.setup-intent.paymentMethodType'],
    by(sandbox, 'is saved with a mandate that names address and browser, and detached'),
  ),
};
