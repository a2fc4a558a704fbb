import type { PaymentIntent } from '@counterfoil/contract/paying/bulk-pay.ts';
import type { PaymentDetails, SavedSource } from '@counterfoil/contract/paying/payment-methods.ts';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { renderToStaticMarkup } from 'react-dom/server';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Portal, PortalContext } from '../../lib/portal/portal-context.ts';
import { intentOf } from '../../paying/bulk/test-support.ts';
import { entryOf } from '../../paying/entry/test-support.ts';
import { methodQueries } from '../../paying/methods/queries.ts';
import { accountOf, cardOf, detailsOf } from '../../paying/methods/test-support.ts';
import { setBrandCurrency } from '../../text/format.ts';
import { Checkout } from './checkout.tsx';

beforeAll(() => setBrandCurrency({ code: 'USD', symbol: '$', digits: 'two' }));

const portal = {
  brand: { name: 'Northline' },
  settings: { invoiceLabelPlural: 'Bills', payments: { bankDetails: [], paymentInstructions: '' } },
} as unknown as Portal;

interface Held {
  readonly intent?: Partial<PaymentIntent>;
  readonly details?: Partial<PaymentDetails>;
  readonly saved?: readonly SavedSource[];
  readonly isPaying?: boolean;
}

/** The page as it stands before anything is chosen. */
async function pageOf({ intent, details, saved = [cardOf()], isPaying = false }: Held = {}) {
  const client = new QueryClient();
  const held = detailsOf({ currency: 'USD', bank: null, ...details });
  client.setQueryData(methodQueries.details().queryKey, held);
  client.setQueryData(
    methodQueries.list('/cards').queryKey,
    saved.filter(({ kind }) => kind === 'card'),
  );
  client.setQueryData(
    methodQueries.list('/accounts').queryKey,
    saved.filter(({ kind }) => kind === 'bank'),
  );
  const root = createRootRoute({
    component: () => (
      <Checkout
        intent={intentOf(intent)}
        isPaying={isPaying}
        isPricing={false}
        onAmount={async () => undefined}
        onPay={async () => undefined}
      />
    ),
  });
  const router = createRouter({ routeTree: root, history: createMemoryHistory({ initialEntries: ['/'] }) });
  await router.load();
  const markup = renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <PortalContext value={portal}>
        <RouterProvider router={router as never} />
      </PortalContext>
    </QueryClientProvider>,
  );
  const text = markup
    .replace(/<[^>]+>/g, ' ')
    .replace(/&amp;/g, '&')
    .replace(/\s+/g, ' ');
  const radios = [...markup.matchAll(/<input[^>]*type="radio"[^>]*>/g)].map(([tag]) => tag);
  const buttons = [...markup.matchAll(/<button[^>]*>.*?<\/button>/g)].map(([tag]) => tag);
  return { markup, text, radios, buttons };
}

describe('bulk pay', () => {
  it('shows the summary: invoices with amounts, adjustments, a bold total, the company [payments.bulk.{text.summary,summary-invoices,text.total}]', async () => {
    const { text } = await pageOf();
    for (const shown of [
      'Payment Summary',
      'to Northline Telecom',
      'INV-20431 $1,284.16',
      'INV-20418 $486.30',
      'INV-20398 $612.45',
      'Adjustments: −$20.00',
      'Total: $2,362.91',
    ])
      expect(text).toContain(shown);
    expect(text).not.toMatch(/CARD_FEE|BANK_FEE/);
  });
  it('keeps what is added to many invoices beside the total, out of the box that scrolls', async () => {
    const invoices = Array.from({ length: 12 }, (_, n) => ({
      invoiceId: `i${n}`,
      invoiceNumber: `INV-${n}`,
      invoiceAmount: 10,
    }));
    const { markup } = await pageOf({ intent: { invoices, total: 100 } });
    const [box = ''] = /<section[^>]*tabindex="0".*?<\/section>/.exec(markup) ?? [];
    expect(box).toContain('INV-11');
    expect(box).not.toContain('Adjustments:');
    expect(markup).toContain('Adjustments:');
  });
  it('offers saved cards, bank methods and a new one, and none is chosen [payments.bulk.control.method, payments.bulk.control.new-method]', async () => {
    const { text, radios, buttons } = await pageOf({ saved: [cardOf(), accountOf()] });
    for (const shown of [
      'Select Payment Method',
      'Visa ending 4242',
      'Account ending 3456',
      'New Payment Method',
    ])
      expect(text).toContain(shown);
    expect(radios).toHaveLength(3);
    expect(radios.some((tag) => tag.includes('checked'))).toBe(false);
    for (const button of buttons) {
      expect(button).toContain('Pay');
      expect(button).toContain(' disabled=""');
    }
  });
  it('offers a new method only where the provider allows it inline [payments.bulk.new-method-when, payments.gateway.adapts]', async () => {
    const card = {
      entry: entryOf({ how: 'redirect' }),
      edit: [],
      editNeeds: [],
      isNewAllowedInline: false,
      payOnceFields: [],
    };
    const { text } = await pageOf({ details: { card } });
    expect(text).not.toContain('New Payment Method');
    expect(text).toContain('Visa ending 4242');
  });
  it('says how to configure a method where none is saved and one is required [payments.bulk.error.no-method, payments.gateway.adapts]', async () => {
    const card = {
      entry: entryOf({ how: 'redirect' }),
      edit: [],
      editNeeds: [],
      isNewAllowedInline: false,
      payOnceFields: [],
    };
    const { text, radios, buttons } = await pageOf({ details: { card }, saved: [] });
    expect(text).toContain(
      'You cannot pay invoices because no default payment method is configured. To configure a payment method, go to Settings → Payment Methods',
    );
    expect(radios).toEqual([]);
    for (const button of buttons) expect(button).toMatch(/ disabled="".*Continue/);
  });
  it('an expired card is not choosable', async () => {
    const { text, radios } = await pageOf({ saved: [cardOf({ isExpired: true })] });
    expect(radios[0]).toContain('disabled=""');
    expect(text).toContain('Expired 08 / 2028: it cannot be used any more');
  });
  it('shows Pay only when the total is above 0; credit has a button of its own [payments.bulk.button-above-0]', async () => {
    const { text, radios, buttons } = await pageOf({ intent: { total: 0, adjustmentsTotal: 2382.91 } });
    expect(text).toContain('Total: $0.00');
    expect(radios).toEqual([]);
    expect(buttons.every((button) => button.includes('Settle with credit'))).toBe(true);
    expect(text).not.toContain('Select Payment Method');
    expect(text).toContain('$2,382.91 of your credit is used. No payment method is needed.');
  });
  it('says that payments are paused, and takes nothing meanwhile', async () => {
    const { text, radios, buttons } = await pageOf({ details: { apiStatus: false, paymentsPaused: true } });
    expect(text).toContain('Payments are paused while we check our records. Please try again later.');
    expect(text).not.toContain('cannot be made here at the moment');
    expect([...radios, ...buttons]).toEqual([]);
  });
  it('while paying nothing can be changed [payments.bulk.flow-loader]', async () => {
    const { markup, buttons } = await pageOf({ isPaying: true });
    expect(markup).toContain('inert=""');
    for (const button of buttons) expect(button).toContain('aria-busy="true"');
  });
});
