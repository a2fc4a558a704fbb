import type { Proof, Proofs } from '../row.ts';

const by = (file: string, ...titles: string[]): readonly Proof[] => titles.map((title) => ({ file, title }));
const feature = 'apps/api/src/features/payment-methods';
const routes = (...titles: string[]) => by(`${feature}/routes.test.ts`, ...titles);
const changes = (...titles: string[]) => by(`${feature}/changes.test.ts`, ...titles);
const debits = (...titles: string[]) => by(`${feature}/debits.test.ts`, ...titles);
const settings = (...titles: string[]) => by(`${feature}/settings-routes.test.ts`, ...titles);
const news = (...titles: string[]) => by(`${feature}/news.test.ts`, ...titles);
const sandbox = (...titles: string[]) => by('apps/api/test/saved-methods-sandbox.test.ts', ...titles);

const details = settings('are the settings, and what the gateway can do');
const added = routes('lists it in the common shape and in the gateway’s own');
const remaining = routes('passes to the first remaining: cards before bank accounts, the oldest first');
const oneDefault = routes('is one, however many are set at once');
const account = debits('is saved with what its holder agreed to: words, version, time, address and browser');
const changed = news('the old methods are kept and not offered');

/** Tests that prove rows of payment-methods: row id to file and title. */
export const proofs: Proofs = {
  'payments.methods.error.expired': routes('is not a card that has expired'),
  'payments.methods.call.list': [...account, ...settings('without a gateway are those of type 0')],
  'payments.methods.call.cards': [...added, ...settings('without a gateway are those of type 0')],
  'payments.methods.call.details': details,
  'payments.methods.call.add': [
    ...added,
    ...sandbox('are saved, shown in the specification’s shape, changed, made default and removed'),
  ],
  'payments.methods.field.add.token': added,
  'payments.methods.field.add.email': added,
  'payments.methods.field.add.provider-type': [
    ...added,
    ...routes('refuses %s, without calling the gateway'),
  ],
  'payments.methods.call.update': [
    ...changes('changes what is given, and shows what the gateway made of it'),
    ...sandbox('are saved, shown in the specification’s shape, changed, made default and removed'),
  ],
  'payments.methods.call.delete-card': changes('is done %s'),
  'payments.methods.call.detach': [
    ...changes('is done %s'),
    ...sandbox('is saved with a mandate that names address and browser, and detached'),
  ],
  'decisions.2.call.default-source': oneDefault,
  'decisions.2.field.default-source.id': oneDefault,
  'decisions.2.bank-accounts': account,
  'payments.settings.field.paymentType': details,
  'payments.settings.field.publishableKey': details,
  'payments.settings.field.paymentTypeDisclaimer': details,
  'payments.settings.field.directDebitPaymentMethodId': details,
  'payments.settings.field.paymentEmailReceipt': details,
  'payments.settings.field.paymentBillingAddressRequired': details,
  'decisions.4.one-gateway': changed,
  'decisions.4.old-methods-kept': changed,
  'decisions.4.old-methods-not-offered': changed,
  'decisions.4.first-remaining': remaining,
};
