import type { Proof, Proofs } from '../row.ts';

const by = (file: string, ...titles: string[]): readonly Proof[] => titles.map((title) => ({ file, title }));
const feature = 'apps/api/src/features/payment-methods';
const routes = (...titles: string[]) => by(`${feature}/routes.test.ts`, ...titles);
const changes = (...titles: string[]) => by(`${feature}/changes.test.ts`, ...titles);
const debits = (...titles: string[]) => by(`${feature}/debits.test.ts`, ...titles);
const settings = (...titles: string[]) => by(`${feature}/settings-routes.test.ts`, ...titles);
const news = (...titles: string[]) => by(`${feature}/news.test.ts`, ...titles);
const sandbox = (...titles: string[]) => by('apps/api/test/saved-methods-sandbox.test.ts', ...titles);

const screen = 'apps/web/src/features/payment-methods';
const drawn = (...titles: string[]) => by(`${screen}/payment-methods-page.test.tsx`, ...titles);
const menu = (...titles: string[]) => by(`${screen}/is-menu-shown.test.ts`, ...titles);
const refusal = (...titles: string[]) => by(`${screen}/failure-words.test.ts`, ...titles);
const words = (...titles: string[]) => by('apps/web/src/lib/payment-methods/method-words.test.ts', ...titles);
const seen = (...titles: string[]) => by('e2e/payment-methods.spec.ts', ...titles);
const set = (...titles: string[]) => by('e2e/payment-methods-settings.spec.ts', ...titles);
const bank = (...titles: string[]) => by('e2e/payment-methods-bank.spec.ts', ...titles);
const journey = seen('a card is added from the Settings menu, shown, edited, made default and removed');
const refused = seen(
  'what a refused card was refused with stands in the form; status 500 is a declined card',
);
const expired = seen('an expired card is marked, and is not made default; a failed update is not shown');
const there = seen('3-D Secure: there and back, and the card is there; refused at the bank, it is not');
const absent = set(
  'without payments or a gateway there is no Payment Types, and its address leads to the dashboard',
);
const loading = set('a page that cannot be loaded says so, and can be asked for again');
const australian = bank('an Australian account is added with its mandate, edited, made default and removed');
const titled = drawn('title bank accounts as the gateway says: %s');
const unknown = [...drawn('what is not known of a method says so'), ...journey];

const details = settings('are the settings, and what the gateway can do');
const added = routes('lists it in the common shape and in the gateway’s own');
const remaining = routes('passes to the first remaining: cards before bank accounts, the oldest first');
const oneDefault = routes('is one, however many are set at once');
const account = debits('is saved with what its holder agreed to: words, version, time, address and browser');
const changed = news('the old methods are kept and not offered');

/** Tests that prove rows of payment-methods: row id to file and title. */
export const proofs: Proofs = {
  'payments.methods.screen.page': journey,
  'payments.methods.not-enabled': absent,
  'payments.methods.control.loader': loading,
  'payments.methods.control.loader-adding': refused,
  'payments.methods.screen.cards': journey,
  'payments.methods.screen.direct-debit': australian,
  'payments.methods.text.title.direct-debit': [...titled, ...australian],
  'payments.methods.text.title.ach': [
    ...titled,
    ...bank('an American account waits for its small deposit to be verified'),
  ],
  'payments.methods.text.title.bacs': [
    ...titled,
    ...bank('a British account needs the address and the words of its mandate'),
  ],
  'payments.methods.text.title.sepa': [...titled, ...bank('a European account is an IBAN of a SEPA country')],
  'payments.methods.screen.auto-pay': bank(
    'Auto-Pay: on asks, Confirm turns it on, Cancel does not, off is off at once',
  ),
  'payments.methods.screen.modal.add-card': journey,
  'payments.methods.screen.modal.edit-card': journey,
  'payments.methods.screen.modal.remove': journey,
  'payments.methods.screen.modal.add-bank': australian,
  'payments.methods.screen.modal.edit-direct': australian,
  'payments.methods.screen.modal.allow-charge': bank(
    'Auto-Pay: on asks, Confirm turns it on, Cancel does not, off is off at once',
  ),
  'payments.methods.disclaimer': [
    ...drawn('stand above the disclaimer of the provider, where there is one'),
    ...journey,
  ],
  'payments.methods.closing-clears': journey,
  'payments.methods.default-unless-expired': expired,
  'payments.methods.text.empty.name': unknown,
  'payments.methods.text.empty.address-1': unknown,
  'payments.methods.text.empty.other': unknown,
  'payments.methods.constant.split-inputs': set(
    'three inputs where the reseller wants them, and the whole billing address where the brand does',
  ),
  'payments.methods.keep': [...journey, ...australian],
  'payments.methods.menu.payments-off': [
    ...menu('is hidden where payments are off, from everybody'),
    ...absent,
  ],
  'payments.methods.menu.code-0': [
    ...menu('is hidden without a gateway (code 0), from everybody'),
    ...absent,
  ],
  'payments.methods.menu.route-to-dashboard': absent,
  'payments.methods.menu.codes': [
    ...menu('is shown for provider type %i, even where the reseller hides it'),
    ...set(
      'the menu leads to Payment Types for each code of the specification, even where the reseller hides it',
    ),
  ],
  'payments.methods.menu.reseller-charge': menu(
    'is shown for provider type %i only where the reseller does not hide it',
  ),
  'payments.methods.menu.super-user': menu('is shown to a super user all the same'),
  'payments.methods.add-updates-list': journey,
  'payments.methods.add-requires-action': there,
  'payments.methods.error.add-other': [...refusal('is refused with the words for %s'), ...refused],
  'payments.methods.error.add-500': [...refusal('is refused with the words for %s'), ...refused],
  'payments.methods.add-failure-loader': refused,
  'payments.methods.update-success': journey,
  'payments.methods.update-failure-closes': expired,
  'payments.methods.error.update-failure': expired,
  'payments.methods.delete-default': [...journey, ...remaining],
  'payments.methods.default-updates': journey,
  'payments.methods.error.default-failure': refusal('shows the message of %s'),
  'payments.methods.error.default-expired': [...refusal('shows the message of %s'), ...expired],
  'decisions.4.last4-as-given': words('with the last digits as the gateway gives them: %s'),
  'payments.methods.error.expired': routes('is not a card that has expired'),
  'payments.methods.call.list': [...account, ...settings('without a gateway are those of type 0')],
  'payments.methods.call.cards': [...added, ...settings('without a gateway are those of type 0')],
  'payments.methods.call.details': details,
  'payments.methods.call.add': [
    ...added,
    ...sandbox('are saved, shown in the specification’s shape, changed, made default and removed'),
  ],
  'payments.methods.field.add.token': added,
  'payments.methods.field.add.email': routes('tells the gateway what was typed beside the token'),
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
