import { call, constant, control, error, field, type Row, rule, screen, section, text } from '../../row.ts';

const page = section({ prefix: 'payments.public', source: 'payments §2 Single-invoice payment page' }, [
  screen('page', '/pay/{uid} pays one invoice without signing in.', {
    source: 'payments §1, §2 Single-invoice payment page',
  }),
  field('amount', 'The page shows the invoice amount.'),
  field('brand', 'The page shows the brand name.'),
  field('period', 'The page shows the period label.'),
  field('date', 'The page shows the invoice date.'),
  field('due-date', 'The page shows the due date.'),
  field('number', 'The page shows the invoice number.'),
  field('fee', 'The page shows the fee.'),
  rule('fee-above-0', 'The fee is shown when it is above 0.', {
    source: 'payments §2 Single-invoice payment page, §9',
  }),
  rule('total', 'Total = amount + fee.', { source: 'payments §2 Single-invoice payment page, §9' }),
  rule('form-hidden', 'The form is hidden when the invoice is paid.'),
]);

const info = section({ prefix: 'payments.public', source: 'payments §3' }, [
  field('info.invoiceAmount', 'Payment info has invoiceAmount.'),
  field('info.uid', 'Payment info has uid.'),
  field('info.brandName', 'Payment info has brandName.'),
  field('info.periodLabel', 'Payment info has periodLabel.'),
  field('info.invoiceDate', 'Payment info has invoiceDate.'),
  field('info.invoiceDueDate', 'Payment info has invoiceDueDate.'),
  field('info.fee', 'Payment info has fee.'),
  field('info.InvoiceNumber', 'Payment info has InvoiceNumber.'),
  field('info.invoiceStatus', 'Payment info has invoiceStatus.'),
  field('info.apiStatus', 'Payment info has apiStatus.'),
  field('info.enabledReceipt', 'Payment info has enabledReceipt.'),
  field('info.requiredCardHolder', 'Payment info has requiredCardHolder.'),
  field('info.requiredBillingAddress', 'Payment info has requiredBillingAddress.'),
  field('info.customer', 'Payment info has customer.'),
  field('info.isFrame', 'Payment info has isFrame.'),
  field('info.isCredited', 'Payment info has isCredited.'),
  field('brand.integrationType', 'The brand settings of the page have integrationType, Stripe or Nexio.'),
  field('brand.publishableKey', 'The brand settings of the page have publishableKey.'),
  field('brand.uid', 'The brand settings of the page have uid.'),
  field('form.cardNumber', 'The form has cardNumber.'),
  field('form.expiryDate', 'The form has expiryDate.'),
  field('form.cvc', 'The form has cvc.'),
  field('form.cardHolder', 'The form has cardHolder.'),
  field('form.email', 'The form has email.'),
  field('form.address', 'The form has address.'),
  field('form.city', 'The form has city.'),
  field('form.state', 'The form has state.'),
  field('form.zip', 'The form has zip.'),
  field('form.country', 'The form has country.'),
  field('form.payerFirstName', 'The form has payerFirstName.'),
  field('form.payerLastName', 'The form has payerLastName.'),
]);

const states = section({ prefix: 'payments.public.state', source: 'payments §4' }, [
  screen('loading', 'The page is loading until apiStatus is known.'),
  screen('load-failed', 'A failed load shows the failure message.'),
  screen('misconfigured', 'With apiStatus false the gateway is misconfigured.'),
  screen('credited', 'A credited invoice has its own state.'),
  screen('paid', 'An invoice of status 11 or amount 0 is already paid.'),
  screen('form', 'The form is a state.'),
  screen('submitting', 'While submitting an overlay stands over the page.'),
  constant('overlay', 'The overlay is cleared after 1.5 s if already failed.', { source: 'payments §4, §9' }),
  screen('success', 'Success is a state.'),
  screen('failed', 'Failure is a state.'),
  rule('broadcast', "Success triggers a cross-tab broadcast 'paymentWatch'.", { text: 'paymentWatch' }),
]);

const errors = section({ prefix: 'payments.public', source: 'payments §8' }, [
  error('misconfigured', 'apiStatus is false.', {
    text: 'Payment Failed – Payment gateway is not configured properly, please try again later. If the problem persists, contact support',
    source: 'payments §8; decisions §1',
  }),
  error(
    'credited',
    'The invoice is credited.',
    'The invoice has been credited. No further payments required.',
  ),
  error('paid', 'The invoice is paid.', 'The invoice has already been paid. No further payments required.'),
  rule('message-400', 'If the status is 400 and the response has a user message, it is used.'),
  rule('message-not-500', 'Else if the status is not 500, a message derived from the body is used.'),
  rule('message-response', 'Else the response message is used.'),
  error('message-default', 'The default message.', 'Oops, something went wrong'),
  text(
    'failed-title',
    'A failed load or payment is shown with this title and the message.',
    'Payment Failed',
  ),
  error('encryption', 'The card number cannot be encrypted.', {
    text: 'The payment gateway isn’t configured properly. Please contact support if the issue persists.',
    source: 'payments §5, §8; decisions §1',
  }),
  rule('encrypted', "The card number is encrypted with the gateway's public key.", { source: 'payments §5' }),
]);

const calls = section({ prefix: 'payments.public', source: 'payments §7' }, [
  call('details', 'GET /v1/ec/payment/details/{token} answers the payment info.', {
    source: 'payments §7; decisions §3',
  }),
  call('pay', 'POST /v1/ec/pay pays one invoice.'),
  field('pay.invoiceAmount', 'Paying sends invoiceAmount as a 2-decimal string.', {
    source: 'payments §7, §9',
  }),
  field('pay.uid', 'Paying sends uid.'),
  field('pay.invoiceNumber', 'Paying sends invoiceNumber.'),
  field('pay.cardHolder', 'Paying sends cardHolder.'),
  field('pay.email', 'Paying sends email.'),
  field('pay.stripe.cardToken', 'The Stripe variant sends cardToken.'),
  field('pay.stripe.billingAddress', 'The Stripe variant sends billingAddress.'),
  field('pay.other.cardNumber', 'The other variant sends cardNumber.'),
  field('pay.other.expirationDate', 'The other variant sends expirationDate (YYYY-MM).'),
  field('pay.other.cardCode', 'The other variant sends cardCode.'),
  field('pay.other.billingAddress', 'The other variant sends billingAddress.'),
  field('pay.nexio.cardNumber', 'The Nexio-type variant sends an encrypted cardNumber.'),
  field('pay.nexio.payerFirstName', 'The Nexio-type variant sends nexioCustomerDetails.payerFirstName.'),
  field('pay.nexio.payerLastName', 'The Nexio-type variant sends nexioCustomerDetails.payerLastName.'),
  field('pay.nexio.email', 'The Nexio-type variant sends nexioCustomerDetails.email.'),
  call('template', 'A template frame is at /v1/ec/pay/{token}/template.'),
]);

const link = section({ prefix: 'decisions.6', source: 'decisions §6' }, [
  constant('pay-link-bits', 'A pay link has 128 random bits.'),
  rule('pay-link-encrypted', 'A pay link is stored encrypted.'),
  rule('pay-link-hash', 'A pay link is looked up by a hash.'),
  constant('pay-link-life', 'A pay link lives until 120 days after the later of due date and its making.'),
  constant('pay-link-after-payment', 'A pay link lives until 30 days after payment.'),
  control('pay-link-rotate', 'A pay link can be rotated.'),
  control('pay-link-expired', 'An expired link offers to mail a new one to the address on file.'),
  rule('anonymous-return', 'The anonymous return from 3-D Secure is /pay/{uid}?attempt=….'),
  rule('return-public', 'The return address of the public page is /pay/{uid}.'),
]);

/** A link with nothing to pay with: no gateway, one that is not set up, one that takes no one-off payment. */
const otherwise = section({ prefix: 'decisions.11', source: 'decisions §11' }, [
  screen('link-no-gateway', "A link with nothing to pay with is no 'Payment Failed'."),
  rule('link-no-gateway-due', 'A link with nothing to pay with shows what is due.'),
  rule(
    'link-no-gateway-bank',
    "A link with nothing to pay with shows the brand's bank details, with the invoice's reference.",
  ),
  rule(
    'link-no-gateway-instructions',
    'A link with nothing to pay with shows how to pay in the words of the brand.',
  ),
  control(
    'link-no-gateway-sign-in',
    "A link with nothing to pay with has 'Sign in to pay' where signing in helps.",
    {
      text: 'Sign in to pay',
    },
  ),
  rule('link-no-gateway-status', 'The specified text of apiStatus stands above the other way to pay.'),
]);

/** The public payment page and its link. */
export const rows: readonly Row[] = [...page, ...info, ...states, ...errors, ...calls, ...link, ...otherwise];
