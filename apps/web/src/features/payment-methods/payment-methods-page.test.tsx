import type { ResellerCharge, SavedSource } from '@counterfoil/contract/paying/payment-methods.ts';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { type Portal, PortalContext } from '../../lib/portal/portal-context.ts';
import { methodQueries } from '../../paying/methods/queries.ts';
import { accountOf, cardOf, detailsOf } from '../../paying/methods/test-support.ts';
import { rulesOf } from './dialogs/add-card-dialog.tsx';
import { MethodFacts } from './method-facts.tsx';
import PaymentMethodsPage from './payment-methods-page.tsx';

const portal = {
  brand: { name: 'Northline', supportEmail: 'help@northline.example', supportPhone: '' },
  settings: {
    companyName: 'Northline Telecom',
    payments: { bankDetails: ['IBAN DE02 1203'], paymentInstructions: '' },
  },
  me: { email: 'a@x.example' },
} as unknown as Portal;
const asks: ResellerCharge = {
  allowResellerCharge: false,
  requireCustomerPermissionForCharging: true,
  confirmationMessageForCharging: 'We charge you.',
  hidePaymentTypesForCustomerUsers: false,
};

interface Held {
  readonly details?: ReturnType<typeof detailsOf>;
  readonly cards?: readonly SavedSource[];
  readonly accounts?: readonly SavedSource[];
  readonly charge?: Partial<ResellerCharge>;
}

/** The page as text, drawn from what is held. */
function page({ details = detailsOf(), cards = [], accounts = [], charge = {} }: Held): string {
  const client = new QueryClient();
  client.setQueryData(methodQueries.details().queryKey, details);
  client.setQueryData(methodQueries.list('/cards').queryKey, cards);
  client.setQueryData(methodQueries.list('/accounts').queryKey, accounts);
  client.setQueryData(methodQueries.charge().queryKey, { ...asks, ...charge });
  return textOf(
    <QueryClientProvider client={client}>
      <PortalContext value={portal}>
        <PaymentMethodsPage />
      </PortalContext>
    </QueryClientProvider>,
  );
}

const textOf = (element: React.ReactNode): string =>
  renderToStaticMarkup(element)
    .replace(/<[^>]+>/g, ' ')
    .replace(/&amp;/g, '&')
    .replace(/[\s\u00a0]+/g, ' ');

describe('the lists', () => {
  it('say that they are empty, and how to fill them', () => {
    const text = page({});
    for (const shown of [
      'There are no cards yet',
      'Add Card',
      'There are no bank accounts yet',
      'Add Bank Account',
    ])
      expect(text).toContain(shown);
  });

  it.each(['Direct Debit', 'ACH', 'BACS', 'SEPA'] as const)(
    'title bank accounts as the gateway says: %s [payments.methods.text.title.*, payments.gateway.adapts]',
    (title) => {
      const { bank } = detailsOf();
      expect(page({ details: detailsOf({ bank: bank && { ...bank, title } }) })).toContain(title);
    },
  );

  it('have no direct debit where the brand has none, unless something is saved', () => {
    const details = detailsOf({ bank: null });
    expect(page({ details })).not.toContain('Direct Debit');
    const text = page({ details, accounts: [accountOf()] });
    expect(text).toContain('Account ending 3456');
    expect(text).not.toContain('Add Bank Account');
  });

  it('mark the default, and offer the others to be it', () => {
    const text = page({
      cards: [cardOf({ isDefault: true }), cardOf({ id: 'c-2', last4: '5454', brand: 'mastercard' })],
    });
    expect(text).toMatch(/Visa ending 4242 Expires 08 \/ 2028 · Ada Nakamura Default/);
    expect(text.match(/Make default/g)).toHaveLength(1);
    expect(text).toContain('Make default Mastercard ending 5454');
  });

  it('mark what has expired', () => {
    const text = page({ cards: [cardOf({ isExpired: true, expMonth: 9, expYear: 2026 })] });
    expect(text).toMatch(/Expired 09 \/ 2026 · Ada Nakamura Expired/);
  });

  it('mark an account that waits for its verification, and offer that and nothing else', () => {
    const verification = { reqUid: 'r', fields: ['descriptorCode'], page: null };
    const text = page({ accounts: [accountOf({ status: 'pending', verification })] });
    for (const shown of [
      'Waiting for you',
      'Verify it with the small deposit on your bank statement',
      'Verify account ending 3456',
    ])
      expect(text).toContain(shown);
    expect(text).not.toMatch(/Make default|Edit account|Being confirmed/);
    const asked = page({ accounts: [accountOf({ status: 'pending' })] });
    expect(asked).toContain('Being confirmed');
  });

  it('mark an account whose mandate has ended, or waits for the bank', () => {
    const mandate = { reference: null, url: null, agreedAt: null, text: null };
    const dead = page({
      accounts: [accountOf({ status: 'unusable', mandate: { ...mandate, status: 'dead' } })],
    });
    expect(dead).toMatch(/Its mandate has ended.*Cannot be used/);
    expect(dead).not.toContain('Make default');
    const pending = accountOf({ mandate: { ...mandate, status: 'pending' } });
    expect(page({ accounts: [pending] })).toContain('The bank has yet to confirm the mandate');
  });

  it('offer what the gateway can do and nothing else [payments.gateway.adapts]', () => {
    const { card } = detailsOf();
    const details = detailsOf({ card: card && { ...card, edit: [] } });
    expect(page({ details, cards: [cardOf()] })).not.toContain('Edit Visa');
    const none = page({ details: detailsOf({ card: null, bank: null }) });
    expect(none).toContain('Payment methods cannot be managed here at the moment');
  });

  it('offer nothing to add while the gateway refuses us, and say how to pay otherwise', () => {
    const text = page({ details: detailsOf({ apiStatus: false }) });
    expect(text).toMatch(
      /Payment gateway is not configured properly.*IBAN DE02 1203.*help@northline\.example/,
    );
    expect(text).not.toMatch(/Add Card|Add Bank Account/);
  });

  it('say that payments are paused, not that the settings are at fault, and can be added meanwhile', () => {
    const text = page({ details: detailsOf({ apiStatus: false, paymentsPaused: true }) });
    expect(text).toContain('Payments are paused while we check our records. Please try again later.');
    expect(text).not.toContain('not configured');
    expect(text).toContain('Add Card');
  });

  it('stand above the disclaimer of the provider, where there is one [payments.methods.disclaimer]', () => {
    const paymentTypeDisclaimer = 'Cards are stored elsewhere.';
    expect(page({ details: detailsOf({ paymentTypeDisclaimer }) })).toMatch(
      /Auto-Pay.*Cards are stored elsewhere\./,
    );
  });
});

it('what is not known of a method says so [payments.methods.text.empty.name, payments.methods.text.empty.address-1, payments.methods.text.empty.other]', () => {
  const text = textOf(<MethodFacts id="f" source={cardOf({ name: null })} />);
  for (const shown of [
    'No name provided',
    'No Address 1 provided',
    'No Address 2 provided',
    'No city provided',
    'No state provided',
    'No zip provided',
    'No country provided',
    'No email provided',
    'No phone provided',
  ])
    expect(text).toContain(shown);
});

describe('Auto-Pay', () => {
  it('says which method is charged, or that there is none', () => {
    const isOn = { allowResellerCharge: true };
    const text = page({ cards: [cardOf({ isDefault: true })], charge: isOn });
    expect(text).toContain('Due invoices are charged to Visa ending 4242 on their due date.');
    expect(page({ charge: isOn })).toContain('There is no payment method that could be charged');
    expect(page({})).toContain('You pay each of your invoices yourself.');
    const expired = cardOf({ isDefault: true, isExpired: true });
    expect(page({ cards: [expired], charge: isOn })).toContain(
      'There is no payment method that could be charged',
    );
  });

  it('is the reseller’s where no permission is required: the notice says that all customers are covered [payments.auto-pay.notice, decisions.6.auto-pay-notice]', () => {
    const text = page({ charge: { requireCustomerPermissionForCharging: false, allowResellerCharge: true } });
    expect(text).toContain(
      'Northline Telecom can charge due invoices to the default payment method of each of its customers.',
    );
    expect(text).not.toContain('Allow Northline');
  });
});

it.each([
  ['a country, where the gateway needs one', {}, { requiredCountry: true, requiredBillingAddress: false }],
  [
    'the whole address, where the brand requires it',
    { paymentBillingAddressRequired: true },
    { requiredBillingAddress: true },
  ],
])('a new card needs %s', (_what, over, rules) => {
  expect(rulesOf(detailsOf(over))).toMatchObject({
    requiredCardHolder: true,
    enabledReceipt: true,
    ...rules,
  });
});
