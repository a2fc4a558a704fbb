import type { PaymentInfo } from '@counterfoil/contract/paying/public-pay.ts';
import { formatDecimal, money } from '@counterfoil/domain/money/money.ts';
import { InvoiceStatus } from '@counterfoil/domain/paying/invoice.ts';
import { type Brand, symbolOf } from '../brand/service.ts';
import { PaymentTerms } from '../payments/service.ts';

const DUE_MINOR = 93_450n;
const DAY_MS = 86_400_000;

/** What a pay page with an invoice that is due would be told, for the preview of a brand. Its inputs are our own: nothing loads. */
export function samplePayment(brand: Brand, now: Date): PaymentInfo {
  const { settings, currency } = brand;
  const price = new PaymentTerms(brand, undefined).price(money(DUE_MINOR, currency), 'card');
  const day = (after: number) => new Date(now.getTime() + after * DAY_MS).toISOString().slice(0, 10);
  return {
    uid: 'preview',
    invoiceAmount: formatDecimal(price.due),
    fee: formatDecimal(price.fee),
    total: formatDecimal(price.total),
    currency,
    currencySymbol: symbolOf(brand, currency),
    moneyDigits: settings.moneyDigits,
    brandName: brand.name,
    companyName: brand.companyName,
    periodLabel: null,
    invoiceDate: day(-10),
    invoiceDueDate: day(20),
    InvoiceNumber: 'INV-20431',
    invoiceStatus: InvoiceStatus.OPEN,
    apiStatus: true,
    enabledReceipt: settings.emailReceipt,
    requiredCardHolder: settings.cardHolderRequired,
    requiredBillingAddress: settings.billingAddressRequired,
    customer: { name: 'Harbour & Finch', email: 'ada@harbour.example', country: null },
    isFrame: false,
    isCredited: false,
    supportEmail: settings.supportEmail,
    supportPhone: settings.supportPhone,
    bankDetails: [...settings.bankDetails],
    paymentInstructions: settings.paymentInstructions,
    brandSettings: {
      uid: 'preview',
      publishableKey: '',
      integrationType: 'preview',
      how: 'ownFieldsToUs',
      public: {},
      separateInputs: brand.reseller.separateCardInputs,
      formFields: [],
      isPrepared: false,
    },
    bank: null,
    signInToPay: false,
    partPayment: null,
    leastCharge: null,
    chargeStep: null,
    paymentsPaused: false,
    pausedUntil: null,
    attempt: null,
  };
}
