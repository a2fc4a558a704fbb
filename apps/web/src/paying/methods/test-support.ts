import type { PaymentDetails, SavedSource } from '@counterfoil/contract/paying/payment-methods.ts';
import { entryOf } from '../entry/test-support.ts';

const address = {
  line1: null,
  line2: null,
  city: null,
  state: null,
  postalCode: null,
  country: null,
};

/** A saved card; a test states only what matters to it. @param over members, also the gateway's own objects */
export const cardOf = (over: object = {}): SavedSource =>
  ({
    id: 'c-1',
    paymentSourceId: 'c-1',
    default: false,
    isDefault: false,
    kind: 'card',
    sourceType: 'CC',
    status: 'ready',
    isExpired: false,
    brand: 'visa',
    last4: '4242',
    name: 'Ada Nakamura',
    expMonth: 8,
    expYear: 2028,
    address,
    mandate: null,
    verification: null,
    billingDetails: { name: 'Ada Nakamura', email: null, phone: null, address },
    ...over,
  }) as unknown as SavedSource;

/** A saved bank account. */
export const accountOf = (over: object = {}): SavedSource =>
  cardOf({
    id: 'b-1',
    paymentSourceId: 'b-1',
    kind: 'bank',
    sourceType: 'ACH',
    brand: null,
    last4: '3456',
    expMonth: null,
    expYear: null,
    ...over,
  });

/** What a gateway that takes cards and one kind of debit says. */
export const detailsOf = (over: Partial<PaymentDetails> = {}): PaymentDetails => ({
  paymentType: 1,
  publishableKey: 'pk_1',
  paymentTypeDisclaimer: '',
  directDebitPaymentMethodId: 1,
  companyName: 'Northline Telecom',
  paymentEmailReceipt: true,
  paymentBillingAddressRequired: false,
  paymentCardHolderRequired: true,
  currency: 'AUD',
  currencySymbol: { symbol: 'A$' },
  invoiceLabelSingular: 'Invoice',
  invoiceLabelPlural: 'Invoices',
  enabled: true,
  apiStatus: true,
  paymentsPaused: false,
  card: {
    entry: entryOf({
      formFields: [
        { name: 'cardHolder', required: true },
        { name: 'country', required: true },
        { name: 'email', required: false },
      ],
    }),
    edit: ['expMonth', 'expYear', 'name', 'line1', 'line2', 'city', 'state', 'postalCode', 'country'],
    editNeeds: [],
    isNewAllowedInline: true,
    payOnceFields: [],
  },
  bank: {
    entry: entryOf({
      how: 'ownFieldsToProvider',
      scheme: 'debit',
      currency: 'AUD',
      formFields: [
        { name: 'accountHolderName', required: true, min: 4 },
        { name: 'email', required: true },
        { name: 'routingNumber', required: true, min: 5 },
        { name: 'bankAccountNumber', required: true, min: 5 },
      ],
    }),
    scheme: 'debit',
    title: 'Direct Debit',
    currency: 'AUD',
    settlesInDays: 5,
    edit: ['name', 'email'],
    mandate: { version: '1', text: 'You agree to the service agreement.', terms: null },
  },
  paths: { cards: '/cards', accounts: '/accounts', defaultSource: '/default' },
  ...over,
});
