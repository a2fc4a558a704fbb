import { inBrowser, type Proof, type Proofs } from '../row.ts';

const proof = (file: string, title: string): readonly Proof[] => [{ file, title }];
const web = (file: string, title: string) => proof(`apps/web/src/features/public-pay/${file}`, title);
const failure = (title: string) => proof('apps/web/src/lib/payments/failure.test.ts', title);
const api = (title: string) => proof('apps/api/src/features/public-pay/routes.test.ts', title);

const shown = web('screens.test.tsx', 'shows amount, brand, period, dates, number and fee');
const states = web('pay-flow.test.ts', 'is loading until apiStatus is known');
const required = web('pay-form-model.test.ts', 'card holder and the whole billing address are required');
const sent = web('pay-flow.test.ts', 'sends the shown total, link, number and fields');
const address = web('pay-form-model.test.ts', 'what is sent is trimmed, and only what the brand asks for');
const billing = web('screens.test.tsx', 'shows the billing address where the brand requires it');
const info = api('shows amount, fee and total, and what the provider needs');
const by = (file: string, ...titles: string[]): readonly Proof[] => titles.map((title) => ({ file, title }));
const answers = 'apps/api/test/paying-answers.test.ts';
const members = by(answers, 'has all members of the specification');
const typed = by(
  'e2e/public-pay.spec.ts',
  'everything is done by keyboard alone',
  'a brand with separate inputs pays through them',
);
const links = 'apps/api/src/features/pay-links/service.test.ts';

/** Tests that prove rows of public-pay: row id to file and title. */
export const proofs: Proofs = {
  'payments.public.screen.page': [...shown, inBrowser('public-pay', 'a card pays an invoice: one charge')],
  'payments.public.field.amount': shown,
  'payments.public.field.brand': shown,
  'payments.public.field.period': shown,
  'payments.public.field.date': shown,
  'payments.public.field.due-date': shown,
  'payments.public.field.number': shown,
  'payments.public.field.fee': shown,
  'payments.public.fee-above-0': web(
    'screens.test.tsx',
    'shows the fee and a total only when the fee is above 0',
  ),
  'payments.public.total': shown,
  'payments.public.form-hidden': web('screens.test.tsx', 'a paid invoice, without a form'),
  'payments.public.field.info.invoiceAmount': info,
  'payments.public.field.info.fee': info,
  'payments.public.field.info.InvoiceNumber': info,
  'payments.public.field.info.invoiceStatus': info,
  'payments.public.field.info.apiStatus': info,
  'payments.public.field.info.isCredited': info,
  'payments.public.field.brand.integrationType': info,
  'payments.public.field.brand.publishableKey': info,
  'payments.public.field.form.cardHolder': required,
  'payments.public.field.form.email': web('pay-form-model.test.ts', 'an e-mail address is optional'),
  'payments.public.field.form.address': billing,
  'payments.public.field.form.city': billing,
  'payments.public.field.form.state': billing,
  'payments.public.field.form.zip': billing,
  'payments.public.field.form.country': billing,
  'payments.public.state.screen.loading': [...states, inBrowser('public-pay-states', 'loading')],
  'payments.public.state.screen.load-failed': [
    ...web('screens.test.tsx', 'a failed load'),
    inBrowser('public-pay-states', 'a server that cannot be reached'),
  ],
  'payments.public.state.screen.misconfigured': [
    ...states,
    inBrowser('public-pay-links', 'a reseller without a gateway gets the words'),
  ],
  'payments.public.state.screen.credited': [
    ...states,
    inBrowser('public-pay-links', 'a credited invoice says that no further payments'),
  ],
  'payments.public.state.screen.paid': [
    ...states,
    inBrowser('public-pay', 'after paying, the same link, Back and a new tab'),
  ],
  'payments.public.state.screen.form': [
    ...states,
    inBrowser('public-pay-states', 'the form: with a fee, with a part'),
  ],
  'payments.public.state.screen.submitting': [
    ...web('pay-flow.test.ts', 'clears the overlay 1.5 s after the press'),
    inBrowser('specified-screens', 'while a payment is sent an overlay stands over the pay page'),
  ],
  'payments.public.state.constant.overlay': web(
    'pay-flow.test.ts',
    'clears the overlay 1.5 s after the press',
  ),
  'payments.public.state.screen.success': [
    ...web('screens.test.tsx', 'a payment that went through'),
    inBrowser('public-pay', 'a card pays an invoice: one charge'),
  ],
  'payments.public.state.screen.failed': [
    ...web('screens.test.tsx', 'a declined card: nothing was charged'),
    inBrowser('public-pay', 'a declined card says so and that nothing was charged'),
  ],
  'payments.public.state.broadcast': [
    ...web('pay-flow.test.ts', 'and broadcasts paymentWatch'),
    ...proof('apps/web/src/lib/payment-watch.test.ts', "is 'paymentWatch', and only that is heard"),
  ],
  'payments.public.error.misconfigured': web('screens.test.tsx', 'a misconfigured gateway'),
  'payments.public.error.credited': web('screens.test.tsx', 'a credited invoice, without a form'),
  'payments.public.error.paid': web('screens.test.tsx', 'a paid invoice, without a form'),
  'payments.public.message-400': failure('of status 400 is the message for the user'),
  'payments.public.message-not-500': failure('of any other status but 500 comes from the body'),
  'payments.public.message-response': failure('of 500 is the message of the response'),
  'payments.public.error.message-default': failure('is the default when there is none'),
  'payments.public.text.failed-title': [
    ...web('screens.test.tsx', 'a failed load'),
    inBrowser('public-pay', 'a declined card says so and that nothing was charged'),
  ],
  'payments.public.call.details': info,
  'payments.public.call.pay': api('takes the amount due and the fee once and marks the invoice paid'),
  'payments.public.field.pay.invoiceAmount': sent,
  'payments.public.field.pay.uid': sent,
  'payments.public.field.pay.invoiceNumber': sent,
  'payments.public.field.pay.cardHolder': sent,
  'payments.public.field.pay.email': sent,
  'payments.public.field.pay.stripe.cardToken': sent,
  'payments.public.field.pay.stripe.billingAddress': address,
  'decisions.6.anonymous-return': [
    ...web('pay-form-model.test.ts', 'holds the link’s token, and after a redirect the attempt'),
    ...web('pay-flow.test.ts', 'asks what has become of the attempt'),
  ],
  'payments.public.field.info.uid': members,
  'payments.public.field.info.brandName': members,
  'payments.public.field.info.periodLabel': members,
  'payments.public.field.info.invoiceDate': members,
  'payments.public.field.info.invoiceDueDate': members,
  'payments.public.field.info.enabledReceipt': members,
  'payments.public.field.info.requiredCardHolder': members,
  'payments.public.field.info.requiredBillingAddress': members,
  'payments.public.field.info.customer': members,
  'payments.public.field.brand.uid': members,
  'payments.public.field.form.cardNumber': typed,
  'payments.public.field.form.expiryDate': typed,
  'payments.public.field.form.cvc': typed,
  'decisions.6.constant.pay-link-bits': by(links, 'carries 128 random bits'),
  'decisions.6.control.pay-link-rotate': [
    ...by(
      'apps/api/src/features/pay-links/routes.test.ts',
      'can be rotated by its customer: the old one is over, the new one works, and it is on record',
    ),
    ...by('apps/api/test/refunds-sandbox.test.ts', 'give an invoice a new link; the old one is over'),
    inBrowser('receipts-and-links', 'the payment link of an open invoice is copied'),
  ],
  'decisions.6.control.pay-link-expired': [
    ...by(
      'apps/api/src/features/pay-links/routes.test.ts',
      'offers to mail a new one to the address on file; the new one works',
    ),
    ...by('apps/web/src/features/public-pay/new-link.test.tsx', 'an expired link offers a new one by mail'),
    inBrowser('public-pay-links', 'an expired link has a new one mailed'),
  ],
  'decisions.6.pay-link-encrypted': by(links, 'is kept sealed, and opens only for its invoice'),
  'decisions.6.pay-link-hash': by(links, 'is found by its hash'),
  'decisions.6.constant.pay-link-life': by(
    links,
    'lives until 120 days after the later of due date and its making',
  ),
  'decisions.6.return-public': by(answers, 'sends the payer back to the page of the link'),
  'decisions.6.constant.pay-link-after-payment': [
    {
      file: 'apps/api/src/features/public-pay/routes.test.ts',
      title: 'keeps the link of a paid invoice for thirty days, so that it can say so',
    },
  ],
};
