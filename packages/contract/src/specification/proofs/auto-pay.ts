import type { Proof, Proofs } from '../row.ts';

const by = (...titles: string[]): readonly Proof[] =>
  titles.map((title) => ({ file: 'apps/api/src/features/payment-methods/settings-routes.test.ts', title }));
const inFile =
  (file: string) =>
  (...titles: string[]): readonly Proof[] =>
    titles.map((title) => ({ file, title }));
const round = inFile('apps/api/src/features/auto-pay/round.test.ts');
const who = inFile('apps/api/src/features/auto-pay/round-who.test.ts');
const judge = inFile('apps/api/src/features/auto-pay/judge.test.ts');
const sandbox = inFile('apps/api/test/auto-pay-sandbox.test.ts');
const announced = round(
  'is announced three days before and charged at six on its due date, once, with the fee',
);
const covered = who('are all customers of a reseller that asks nobody, and the mail says how else to pay');
const given = by('is the customer’s to give and to take back; each is kept with the words, the person');
const open = by('that needs nobody’s consent covers everybody, and is not theirs to change');

const page = (...titles: string[]): readonly Proof[] =>
  titles.map((title) => ({ file: 'e2e/payment-methods-bank.spec.ts', title }));
const toggled = page('Auto-Pay: on asks, Confirm turns it on, Cancel does not, off is off at once');
const notice = [
  ...page('where no permission is required, a notice says that the reseller can charge'),
  {
    file: 'apps/web/src/features/payment-methods/payment-methods-page.test.tsx',
    title:
      'is the reseller’s where no permission is required: the notice says that all customers are covered',
  },
];

/** Tests that prove rows of auto-pay: row id to file and title. */
export const proofs: Proofs = {
  'decisions.6.auto-pay-consent': [
    ...announced,
    ...who('are not those who never agreed where the reseller asks, nor is anybody told who keeps no method'),
    ...round('is not charged when it was paid, or the consent taken back, in between; the reason stands'),
  ],
  'decisions.6.auto-pay-all': covered,
  'decisions.6.constant.auto-pay-mail': announced,
  'decisions.6.constant.auto-pay-charge': [
    ...announced,
    ...judge('%s at %s'),
    ...sandbox('at the step "%s", beside others that live, charges and announces once'),
  ],
  'decisions.6.constant.auto-pay-retries': [
    ...round('is tried again 3, 5 and 7 days after the first decline, and then no more'),
    ...judge('that was declined (%s before) it is tried again after 3, 5 and 7 days'),
  ],
  'decisions.6.auto-pay-forbidden': judge('it is not tried again after %s'),
  'payments.auto-pay.control.checkbox': toggled,
  'payments.auto-pay.off-at-once': toggled,
  'payments.auto-pay.on-asks': toggled,
  'payments.auto-pay.control.confirm': toggled,
  'payments.auto-pay.control.cancel': toggled,
  'payments.auto-pay.notice': notice,
  'payments.auto-pay.get-host': [
    {
      file: 'apps/web/src/lib/payment-methods/queries.test.ts',
      title: 'allow-reseller-charge is asked of the reseller’s host',
    },
  ],
  'decisions.6.auto-pay-notice': notice,
  'payments.auto-pay.purpose': given,
  'payments.auto-pay.customer-controls': [...given, ...open],
  'payments.auto-pay.call.get': given,
  'payments.auto-pay.field.allowResellerCharge': given,
  'payments.auto-pay.field.hidePaymentTypesForCustomerUsers': given,
  'payments.auto-pay.field.requireCustomerPermissionForCharging': [...given, ...open],
  'payments.auto-pay.field.confirmationMessageForCharging': given,
  'payments.auto-pay.call.put': given,
  'payments.auto-pay.field.put.allowResellerCharge': given,
};
