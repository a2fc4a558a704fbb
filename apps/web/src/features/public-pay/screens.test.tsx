import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { ApiError } from '../../lib/api/api-error.ts';
import { emptyDraft } from '../../paying/card/card-draft.ts';
import { amountRows, isOverdue } from './form/invoice-summary.tsx';
import { outcomes } from './outcome/outcomes.tsx';
import { PayPage } from './pay-page.tsx';
import { attemptOf, entered, flowOf, infoOf, type Script } from './test-support.ts';

/** The page as text, after what the script makes of it. */
async function pageOf(script: Script, act?: (flow: ReturnType<typeof flowOf>['flow']) => Promise<void>) {
  const { flow } = flowOf(script);
  await flow.start();
  await act?.(flow);
  const markup = renderToStaticMarkup(<PayPage flow={flow} outcomes={() => outcomes} kept={emptyDraft} />);
  return markup
    .replace(/<[^>]+>/g, ' ')
    .replace(/&amp;/g, '&')
    .replace(/\s+/g, ' ');
}

describe('what the page says', () => {
  it('shows amount, brand, period, dates, number and fee, with Total = amount + fee [payments.public.{screen.page,total}, payments.public.field.{amount,brand,period,date,due-date,number,fee}]', async () => {
    const text = await pageOf({ details: [infoOf()] });
    for (const shown of [
      'Invoice from Northline',
      '$1,303.42',
      'Due 12.05.2026',
      'INV-20431',
      'October 2026',
      '11.05.2026',
      '$1,284.16',
      'Card fee $19.26',
      'Total $1,303.42',
      'Card Holder Name',
      'Email Receipt',
      'Pay $1,303.42',
    ])
      expect(text).toContain(shown);
  });
  it('says from when on the next card can be tried, after too many were declined', async () => {
    const text = await pageOf({ details: [infoOf({ pausedUntil: '2026-11-21T15:10:00.000Z' })] });
    expect(text).toMatch(
      /Too many cards were declined\. Nothing was charged\. The next one can be tried from \d+:10/,
    );
    expect(await pageOf({ details: [infoOf()] })).not.toContain('Too many cards');
  });
  it('shows the fee and a total only when the fee is above 0 [payments.public.fee-above-0]', () => {
    const ids = (fee: string) => amountRows(infoOf({ fee }), 'Invoice').map(({ id }) => id);
    expect(ids('19.26')).toEqual(['amount', 'fee', 'total']);
    expect(ids('0.00')).toEqual(['amount']);
  });
  it('shows the billing address where the brand requires it [payments.public.field.form.{address,city,state,zip,country}]', async () => {
    const text = await pageOf({ details: [infoOf({ requiredBillingAddress: true })] });
    for (const label of ['Address', 'City', 'State', 'Zip', 'Country']) expect(text).toContain(label);
  });
  it('a misconfigured gateway [payments.public.error.misconfigured]', async () => {
    expect(await pageOf({ details: [infoOf({ apiStatus: false })] })).toContain(
      'Payment Failed – Payment gateway is not configured properly, please try again later. If the problem persists, contact support',
    );
  });
  it.each([
    [
      'alone',
      [],
      /not configured properly.* Cheques to Box 12 Cash at any shop Reference INV-20431 Copy reference/,
    ],
    [
      'beside an account',
      ['IBAN DE02'],
      /Cheques to Box 12 Cash at any shop Bank details IBAN DE02 Reference INV-20431 Copy reference/,
    ],
  ])(
    'how else to pay in the words of the brand, %s, in place of ours [decisions.11.{link-no-gateway-instructions,link-no-gateway-status}]',
    async (_name, bankDetails, told) => {
      const paymentInstructions = 'Cheques to Box 12\nCash at any shop';
      const text = await pageOf({
        details: [infoOf({ apiStatus: false, bankDetails, paymentInstructions })],
      });
      expect(text).toMatch(told);
      expect(text).not.toMatch(/Please (pay by bank transfer|contact Northline)/);
    },
  );
  it('payments that are paused after a restored backup, which are no fault of the settings', async () => {
    const text = await pageOf({ details: [infoOf({ apiStatus: false, paymentsPaused: true })] });
    expect(text).toContain('Payments are paused while we check our records. Please try again later.');
    expect(text).toContain('Nothing was charged.');
    expect(text).not.toMatch(/configured|Payment Failed/);
  });
  it('a credited invoice, without a form [payments.public.error.credited]', async () => {
    const text = await pageOf({ details: [infoOf({ isCredited: true })] });
    expect(text).toContain('The invoice has been credited. No further payments required.');
    expect(text).not.toContain('Card Holder');
  });
  it('a paid invoice, without a form [payments.public.form-hidden, payments.public.error.paid]', async () => {
    const text = await pageOf({ details: [infoOf({ invoiceStatus: 11 })] });
    expect(text).toContain('The invoice has already been paid. No further payments required.');
    expect(text).not.toContain('Card Holder');
  });
  it.each([
    ['a void', 13, 'This invoice is void. No payment is required.'],
    ['a disputed', 14, 'This invoice is in dispute. It can be paid once that is settled.'],
  ])('%s invoice, without a form', async (_name, invoiceStatus, words) => {
    const text = await pageOf({ details: [infoOf({ invoiceStatus })] });
    expect(text).toContain(words);
    expect(text).toContain('Nothing was charged.');
    expect(text).not.toContain('Card Holder');
    expect(text).not.toMatch(/Pay \$/);
  });
  it('a failed load [payments.public.state.screen.load-failed, payments.public.text.failed-title]', async () => {
    const text = await pageOf({ details: [new Error('broken')] });
    expect(text).toContain('Payment Failed');
    expect(text).toContain('Oops, something went wrong');
  });
  it('a declined card: nothing was charged, and the amount still to pay [payments.public.state.screen.failed]', async () => {
    const text = await pageOf(
      {
        details: [infoOf()],
        pay: [{ status: 'failed', message: 'Your card was declined', reference: 'REF9' }],
      },
      (flow) => flow.submit(entered),
    );
    expect(text).toContain('Payment Failed');
    expect(text).toContain('Your card was declined. Nothing was charged.');
    for (const shown of ['Still to pay', '$1,303.42', 'REF9', 'Try again']) expect(text).toContain(shown);
  });
  it('a payment that went through, and where the receipt goes [payments.public.state.screen.success]', async () => {
    const text = await pageOf(
      { details: [infoOf()], pay: [{ status: 'succeeded', reference: 'REF9' }] },
      (flow) => flow.submit(entered),
    );
    for (const shown of [
      'Payment Successful',
      'You paid $1,303.42 to Northline Telecom',
      'Receipt will be delivered to ada@x.example',
      'REF9',
    ])
      expect(text).toContain(shown);
  });
  it.each([
    [
      'a part',
      { amount: 600, asked: 1303.42, stillDue: 684.16 },
      [
        'You paid $600.00 to',
        'You were asked for $1,303.42, but only $600.00 was taken. $684.16 is still to be paid.',
        'Still to pay $684.16',
        'Pay the rest',
      ],
      'Nothing more',
    ],
    [
      'all but the fee',
      { amount: 1284.16, asked: 1303.42, stillDue: 0 },
      [
        'You paid $1,284.16 to',
        'You were asked for $1,303.42, but only $1,284.16 was taken. Nothing more is to be paid.',
      ],
      'Pay the rest',
    ],
    [
      'more than was asked for',
      { amount: 1400, asked: 1303.42, stillDue: 0, keptAsCredit: 96.58 },
      [
        'You paid $1,400.00 to',
        'You were asked for $1,303.42, and $1,400.00 was taken. What is too much is kept as your credit.',
      ],
      'Still to pay',
    ],
    ['all of it', { amount: 1303.42, stillDue: 0 }, ['You paid $1,303.42 to'], 'You were asked for'],
  ])('%s was taken: what that is, and what is still due', async (_name, told, shown, not) => {
    const text = await pageOf({ details: [infoOf()], pay: [{ status: 'succeeded', ...told }] }, (flow) =>
      flow.submit(entered),
    );
    for (const words of shown) expect(text).toContain(words);
    expect(text).not.toContain(not);
  });
  it('a part that was taken while the answer was lost is no payment that never arrived', async () => {
    const left = infoOf({
      invoiceAmount: '684.16',
      fee: '10.26',
      total: '694.42',
      attempt: attemptOf('succeeded', { amount: '600.00', asked: '1303.42' }),
    });
    const lost = new ApiError(0, 'client.unreachable', 'later');
    const { flow, seen } = flowOf({ details: [infoOf(), left], pay: [lost] });
    await flow.start();
    await flow.submit(entered);
    expect(seen.states).not.toContain('failed');
    const markup = renderToStaticMarkup(<PayPage flow={flow} outcomes={() => outcomes} kept={emptyDraft} />);
    expect(markup).toContain('but only $600.00 was taken. $684.16 is still to be paid.');
    // Opened again, the form asks for what is left and says why.
    expect(await pageOf({ details: [left] })).toMatch(/Of the last payment only a part was taken.*/);
  });
  it('a link that is over tells that it was paid, and no amount that nobody has confirmed', async () => {
    const open = infoOf({ attempt: attemptOf('processing') });
    const gone = new ApiError(410, 'payLink.expired', 'This payment link has expired');
    const { flow } = flowOf({ details: [open, gone], confirm: [{ status: 'succeeded' }] });
    await flow.start();
    expect(flow.view()).toMatchObject({ state: 'success', outcome: { amount: undefined } });
  });
  it.each([
    ['details that offer no card', { details: [infoOf({ brandSettings: null })] }, false],
    [
      'a refusal',
      { details: [infoOf()], pay: [new ApiError(409, 'paymentMethod.notOffered', 'not offered')] },
      true,
    ],
  ])(
    '%s: that it cannot be paid so, how else, and nothing of a failed payment',
    async (_name, script, pays) => {
      const text = await pageOf(script, pays ? (flow) => flow.submit(entered) : undefined);
      for (const shown of [
        'It cannot be paid by card through this link. Sign in if you have an account with Northline Telecom',
        'Please contact Northline Telecom, who will tell you how to pay.',
        'Nothing was charged.',
        'Sign in to see all invoices',
      ])
        expect(text).toContain(shown);
      expect(text).not.toContain('Payment Failed');
    },
  );
  it('a bank debit on its way [decisions.6.text.bank-submitted]', async () => {
    const { flow } = flowOf({
      details: [infoOf({ attempt: attemptOf('processing', { expected: 'days' }) }), new Error('later')],
    });
    void flow.start();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(
      renderToStaticMarkup(<PayPage flow={flow} outcomes={() => outcomes} kept={undefined} />),
    ).toContain('Payment submitted. Your bank usually confirms within 5 working days.');
  });
  it('a payment being confirmed: not failed, and no second form', async () => {
    const { flow } = flowOf({ details: [infoOf({ attempt: attemptOf('processing') }), new Error('later')] });
    void flow.start();
    await new Promise((resolve) => setTimeout(resolve, 20));
    const markup = renderToStaticMarkup(<PayPage flow={flow} outcomes={() => outcomes} kept={undefined} />);
    expect(markup).toContain('Payment being confirmed');
    expect(markup).toContain('REF1');
    expect(markup).not.toMatch(/Failed|Card Holder/);
  });
});

describe('overdue', () => {
  it('is a day past in the brand’s time zone [decisions.5.zone-due-dates]', () => {
    const now = new Date('2026-12-05T23:30:00Z');
    expect(isOverdue('2026-12-05', 'UTC', now)).toBe(false);
    expect(isOverdue('2026-12-05', 'Australia/Sydney', now)).toBe(true);
    expect(isOverdue(null, 'UTC', now)).toBe(false);
  });
});
