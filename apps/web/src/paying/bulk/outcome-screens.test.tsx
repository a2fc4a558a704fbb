import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { beforeAll, describe, expect, it } from 'vitest';
import { ApiError } from '../../lib/api/api-error.ts';
import { type Portal, PortalContext } from '../../lib/portal/portal-context.ts';
import { setBrandCurrency } from '../../text/format.ts';
import type { BulkFlow } from './bulk-payment.ts';
import { toPayAgain } from './intent-rows.ts';
import { BulkOutcomeScreen } from './outcome-screens.tsx';
import { ended, intentOf, loadedFlow, returnedFlow, submission } from './test-support.ts';

beforeAll(() => setBrandCurrency({ code: 'USD', symbol: '$', digits: 'two' }));

const portal = {
  brand: { name: 'Northline', supportEmail: 'help@northline.example', supportPhone: '' },
  settings: {
    invoiceLabelSingular: 'Invoice',
    invoiceLabelPlural: 'Invoices',
    companyName: 'Northline Telecom',
  },
} as unknown as Portal;
const nothing = () => undefined;

const markupOf = (flow: BulkFlow): string =>
  renderToStaticMarkup(
    <QueryClientProvider client={new QueryClient()}>
      <PortalContext value={portal}>
        <BulkOutcomeScreen
          view={flow.view()}
          onRetry={nothing}
          onContinue={nothing}
          onStartOver={nothing}
          onInvoices={nothing}
        />
      </PortalContext>
    </QueryClientProvider>,
  );
const textOf = (flow: BulkFlow): string =>
  markupOf(flow)
    .replace(/<[^>]+>/g, ' ')
    .replace(/&amp;/g, '&')
    .replace(/\s+/g, ' ');
const never = new ApiError(0, 'client.unreachable', 'later');
/** Long enough for everything that needs no further answer. */
const soon = () => new Promise((resolve) => setTimeout(resolve, 20));

describe('what the page says in the end', () => {
  it('a payment that went through: what was paid to whom, and where the receipt goes [payments.bulk.screen.success, payments.bulk.text.success.*, payments.result.text.success]', async () => {
    const email = 'ap@harbourfinch.example';
    const { flow } = await loadedFlow({
      create: [intentOf({ email })],
      pay: [{ status: 'succeeded', reference: 'REF1' }],
      read: [ended('succeeded', {}, { email })],
    });
    await flow.submit(submission);
    const text = textOf(flow);
    for (const shown of [
      'Payment Successful',
      'You paid $2,398.35 to Northline Telecom',
      'Receipt will be delivered to ap@harbourfinch.example',
      'INV-20431 $1,284.16',
      'Card fee $35.44',
      'Paid with Visa ending 4242',
      'Payment reference REF1',
    ])
      expect(text).toContain(shown);
    expect(text).not.toContain('Bank fee');
  });
  it('the receipt can be saved where the answer names the payment', async () => {
    const { flow } = await loadedFlow({
      pay: [{ status: 'succeeded', reference: 'REF1' }],
      read: [ended('succeeded', {}, { receiptOf: 'p-1' })],
    });
    await flow.submit(submission);
    expect(textOf(flow)).toContain('Payment reference REF1 Receipt REF1 Back to Invoices');
  });
  it('no receipt where none was asked for [payments.bulk.text.success.receipt]', async () => {
    const { flow } = await loadedFlow({ pay: [{ status: 'succeeded' }], read: [ended('succeeded')] });
    await flow.submit(submission);
    expect(textOf(flow)).not.toContain('Receipt');
  });
  it('a payment of which only a part was taken: what each invoice got, and what is still due of it', async () => {
    const line = (n: number, invoiceAmount: number, stillDue: number) => ({
      invoiceNumber: `INV-${n}`,
      invoiceId: `i-${n}`,
      invoiceAmount,
      stillDue,
    });
    const invoices = [line(1, 1284.16, 0), line(2, 115.84, 370.46), line(3, 0, 612.45)];
    const { flow } = await loadedFlow({
      pay: [{ status: 'succeeded', reference: 'REF1' }],
      read: [
        ended('succeeded', { amount: 1380, asked: 2398.35 }, { invoices, total: 1380, adjustmentsTotal: 20 }),
      ],
    });
    await flow.submit(submission);
    const text = textOf(flow);
    for (const shown of [
      'You paid $1,380.00 to Northline Telecom',
      'You were asked for $2,398.35, but only $1,380.00 was taken. $982.91 is still to be paid.',
      'INV-1 $1,284.16',
      'INV-2 $115.84',
      'INV-3 $0.00',
      'Adjustments: −$20.00',
      'Still to pay of INV-2 $370.46',
      'Still to pay of INV-3 $612.45',
      'Pay the rest',
    ])
      expect(text).toContain(shown);
    expect(text).not.toMatch(/Still to pay of INV-1|Card fee/);
    expect(toPayAgain(flow.view().info ?? intentOf())).toEqual(['i-2', 'i-3']);
  });
  it('of many invoices only these scroll: how it was paid stands in sight below', async () => {
    const invoices = Array.from({ length: 12 }, (_, n) => ({
      invoiceNumber: `INV-${n}`,
      invoiceId: `i-${n}`,
      invoiceAmount: 10,
    }));
    const { flow } = await loadedFlow({
      pay: [{ status: 'succeeded', reference: 'REF1' }],
      read: [ended('succeeded', {}, { invoices, total: 120 })],
    });
    await flow.submit(submission);
    const [box = ''] = /<section[^>]*tabindex="0".*?<\/section>/.exec(markupOf(flow)) ?? [];
    expect(box).toContain('INV-11');
    expect(box).not.toContain('REF1');
  });
  it('more than was asked for: what is too much is the customer’s credit', async () => {
    const { flow } = await loadedFlow({
      pay: [{ status: 'succeeded', reference: 'REF1' }],
      read: [ended('succeeded', { amount: 2500, asked: 2398.35, keptAsCredit: 101.65 })],
    });
    await flow.submit(submission);
    expect(textOf(flow)).toContain('What is too much is kept as your credit.');
    expect(textOf(flow)).toContain('Kept as your credit $101.65');
    expect(textOf(flow)).not.toContain('Pay the rest');
  });
  it('what was taken, and not what was asked for, also while the session cannot be read', async () => {
    const { flow } = await loadedFlow({
      pay: [{ status: 'succeeded', reference: 'REF1', amount: 1380, asked: 2398.35, stillDue: 982.91 }],
      read: [never],
    });
    await flow.submit(submission);
    const text = textOf(flow);
    expect(text).toContain('You paid $1,380.00 to Northline Telecom');
    expect(text).toContain('only $1,380.00 was taken. $982.91 is still to be paid.');
    expect(text).not.toMatch(/INV-20431|Pay the rest/);
  });
  it('invoices that were paid by credit', async () => {
    const free = { total: 0, adjustmentsTotal: 2382.91, invoices: intentOf().invoices.slice(0, 3) };
    const { flow } = await loadedFlow({
      create: [intentOf(free)],
      pay: [{ status: 'succeeded', reference: 'REF1' }],
      read: [ended('succeeded', { amount: 0, method: 'Credit' }, free)],
    });
    await flow.submit({ fields: {}, method: 'Credit', amount: '0.00' });
    expect(textOf(flow)).toContain('Your credit paid $2,382.91 to Northline Telecom');
  });
  it('a failed one: the error, that nothing was charged, and whom to ask [payments.bulk.{screen.failure,text.failure.title,failure.error,text.failure.advice}]', async () => {
    const { flow } = await loadedFlow({
      pay: [{ status: 'failed', message: 'Your card was declined', reference: 'REF1' }],
      read: [ended('failed', { message: 'Your card was declined' })],
    });
    await flow.submit(submission);
    const text = textOf(flow);
    for (const shown of [
      'Payment Failed',
      'Your card was declined. Nothing was charged to Visa ending 4242.',
      'Please try again later. If the problem persists, contact support',
      'Still to pay $2,398.35',
      'help@northline.example',
      'Try again',
    ])
      expect(text).toContain(shown);
  });
  it('one that cannot be found: failed, without a word about what was charged [payments.result.text.failure, payments.result.text.advice]', async () => {
    const unknown = new ApiError(404, 'payment.unknownAttempt', 'There is no such payment');
    const { flow } = returnedFlow({ confirm: [unknown], read: [unknown] });
    await flow.startReturned({ reqUid: 'x' });
    const text = textOf(flow);
    for (const shown of [
      'Payment Failed',
      'There is no such payment.',
      'Please try again later. If the problem persists, contact support',
    ])
      expect(text).toContain(shown);
    expect(text).not.toContain('Nothing was charged');
  });
});

describe('what the page says meanwhile', () => {
  it('being confirmed: not failed, and not to pay again', async () => {
    const { flow } = await loadedFlow({
      pay: [{ status: 'processing', expected: 'seconds', reference: 'REF1' }],
      read: [ended('processing')],
    });
    void flow.submit(submission);
    await soon();
    const text = textOf(flow);
    for (const shown of [
      'Payment being confirmed',
      '$2,398.35',
      'please don’t pay again',
      'REF1',
      'Your invoices show how it ended.',
    ])
      expect(text).toContain(shown);
    expect(text).not.toMatch(/Failed|Try again/);
  });
  it('not known after the way back from the bank: it keeps on asking', async () => {
    const { flow } = returnedFlow({ confirm: [never] });
    void flow.startReturned({ reqUid: 'x' });
    await soon();
    const text = textOf(flow);
    expect(text).toContain('We have not heard yet whether your payment arrived');
    expect(text).toContain('this page keeps trying');
    expect(text).not.toContain('Failed');
  });
  it('a bank debit on its way [decisions.6.text.bank-submitted]', async () => {
    const { flow } = await loadedFlow({
      pay: [{ status: 'processing', expected: 'days', reference: 'REF1' }],
      read: [ended('processing', { expected: 'days', amount: 2364.91, method: 'account ending 3456' })],
    });
    void flow.submit(submission);
    await soon();
    const text = textOf(flow);
    expect(text).toContain('Payment submitted. Your bank usually confirms within 5 working days.');
    for (const shown of ['$2,364.91', 'Bank fee $2.00', 'account ending 3456']) expect(text).toContain(shown);
    expect(text).not.toContain('Payment Successful');
  });
  it('a step at the bank that is open', async () => {
    const { flow } = await loadedFlow({
      pay: [{ status: 'requires_action', reference: 'REF1' }],
      read: [ended('requires_action', { redirectToUrl: 'https://bank.example/3ds' })],
    });
    await flow.submit(submission);
    const text = textOf(flow);
    for (const shown of [
      'Your bank wants you to confirm',
      'Nothing is charged until you confirm it',
      'Continue to your bank',
      'Use another payment method',
    ])
      expect(text).toContain(shown);
  });
});
