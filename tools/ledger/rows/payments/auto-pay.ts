import { call, constant, control, field, type Row, rule, section } from '../../row.ts';

const screenRows = section({ prefix: 'payments.auto-pay', source: 'payments §4' }, [
  control('checkbox', 'The Auto-Pay area has a checkbox.'),
  rule('off-at-once', 'If on, unchecking turns it off immediately.'),
  rule('on-asks', 'If off, checking opens a confirmation.'),
  control('confirm', 'Confirm turns it on.', 'Confirm'),
  control('cancel', 'Cancel closes the confirmation.', 'Cancel'),
  rule('purpose', 'A customer can allow the reseller to charge invoices to the default method.', {
    source: 'payments §1, §6',
  }),
  rule('notice', 'Without required permission a notice states that the reseller can charge.', {
    source: 'payments §6',
  }),
  rule('customer-controls', 'Otherwise the customer controls the Auto-Pay toggle.', {
    source: 'payments §6',
  }),
]);

const calls = section({ prefix: 'payments.auto-pay', source: 'payments §7' }, [
  call('get', 'GET /v1/ec/allow-reseller-charge answers the reseller-charge settings.', {
    source: 'portal §7 Settings and brand; payments §7',
  }),
  rule('get-host', 'allow-reseller-charge is served by a separate reseller API host.', {
    source: 'portal §7 Settings and brand; payments §7',
  }),
  field('allowResellerCharge', 'The answer has allowResellerCharge.', {
    source: 'portal §7 Settings and brand; payments §3, §7',
  }),
  field('hidePaymentTypesForCustomerUsers', 'The answer has hidePaymentTypesForCustomerUsers.', {
    source: 'portal §7 Settings and brand; payments §7',
  }),
  field('requireCustomerPermissionForCharging', 'The answer has requireCustomerPermissionForCharging.', {
    source: 'payments §3, §7',
  }),
  field('confirmationMessageForCharging', 'The answer has confirmationMessageForCharging.', {
    source: 'payments §3, §7',
  }),
  call('put', 'PUT /v1/ec/allow-reseller-charge changes the consent.'),
  field('put.allowResellerCharge', 'Changing the consent sends allowResellerCharge.'),
]);

const decided = section({ prefix: 'decisions.6', source: 'decisions §6' }, [
  rule('auto-pay-consent', 'Auto-pay covers consenting customers.'),
  rule(
    'auto-pay-all',
    'Auto-pay covers all customers of a reseller whose setting does not require permission.',
  ),
  rule('auto-pay-notice', 'The notice says that all customers are covered.'),
  constant('auto-pay-mail', 'Auto-pay mails three days before.'),
  constant('auto-pay-charge', 'Auto-pay charges at 06:00 brand time on the due date.'),
  constant('auto-pay-retries', 'Auto-pay charges again after 3, 5 and 7 days.'),
  rule('auto-pay-forbidden', 'Auto-pay never charges again after a code that forbids it.'),
]);

/** Auto-pay. */
export const rows: readonly Row[] = [...screenRows, ...calls, ...decided];
