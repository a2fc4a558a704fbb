import type { Proof, Proofs } from '../row.ts';

const by = (...titles: string[]): readonly Proof[] =>
  titles.map((title) => ({ file: 'apps/api/src/features/payment-methods/settings-routes.test.ts', title }));
const given = by('is the customer’s to give and to take back; each is kept with the words, the person');
const open = by('that needs nobody’s consent covers everybody, and is not theirs to change');

/** Tests that prove rows of auto-pay: row id to file and title. */
export const proofs: Proofs = {
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
