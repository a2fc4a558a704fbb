import { moneyDigits } from '@counterfoil/domain/money/shown-decimals.ts';
import { webOrigin } from '@counterfoil/domain/paying/redirect.ts';
import { isMailAddress } from '@counterfoil/domain/text/mail-address.ts';
import * as z from 'zod/mini';
import { mailTexts } from './mail-texts.ts';

const flag = z._default(z.boolean(), true);
const off = z._default(z.boolean(), false);
const hexColour = z.string().check(z.regex(/^(#[0-9a-f]{6}|[a-z]{3,20})$/i));

/** White, blue, grey, light blue, deep blue, paler blue, light grey: colour1 to colour7. */
export const DEFAULT_COLOURS = [
  '#ffffff',
  '#3598db',
  '#94a1a3',
  '#def1fe',
  '#005e80',
  '#eef8fe',
  '#e7ebef',
] as const;
/** The built-in brand whose logo and banner stand in where a brand's own do not load. */
export const DEFAULT_BRAND_ID = 0;

/** Fee for one kind of method: basis points of the amount, a fixed part, a cap; minor units of the brand's currency. */
export const feeSetting = z.object({
  basisPoints: z._default(z.int().check(z.minimum(0), z.maximum(10_000)), 0),
  fixedMinor: z._default(z.int().check(z.minimum(0)), 0),
  capMinor: z._default(z.nullable(z.int().check(z.minimum(0))), null),
});

export type FeeSetting = z.infer<typeof feeSetting>;

const days = (least: number) =>
  z._default(z.array(z.int().check(z.minimum(least), z.maximum(90))).check(z.maxLength(6)), []);

/** Which mails about invoices customers get. */
export const invoiceMails = z.object({
  /** A new invoice is mailed. */
  newInvoices: off,
  /** Its PDF goes with it. */
  withPdf: flag,
  /** Where it bills usage, its sums by service item and record type go with it as CSV. */
  withUsageCsv: off,
  /** Reminders so many days before the due date; 0 is that day. */
  daysBefore: days(0),
  /** Reminders so many days after it. */
  daysAfter: days(1),
});

const blank = z._default(z.string().check(z.maxLength(200)), '');

/**
 * The provider as e-invoices state it, for what an invoice itself does not state. Nothing of it is needed where none are
 * offered.
 */
export const eInvoiceFacts = z.object({
  /** Customers are offered their invoices as e-invoices, each one that keeps to the rules. */
  isOffered: off,
  /** Registered name; empty: the company's name. */
  legalName: blank,
  /** With the country's prefix: 'DE123456789'. */
  vatId: blank,
  /** Number in a register of companies, and whose numbering it is: a code of ISO 6523 such as 0002; may be empty. */
  legalId: blank,
  legalIdScheme: blank,
  /** Electronic address in Peppol, and its scheme: '0088' and a GLN, '9930' and a German VAT number. */
  endpoint: blank,
  endpointScheme: blank,
  street: blank,
  city: blank,
  postalCode: blank,
  /** ISO 3166-1, two capital letters. */
  country: blank,
  /** Where a credit transfer goes. */
  iban: blank,
  /** What lines without tax are where the invoice does not say it (UNTDID 5305): zero rated, exempt, reverse charge, export, outside of VAT. */
  untaxedCategory: z._default(z.enum(['Z', 'E', 'AE', 'G', 'O']), 'Z'),
  /** Why no tax is charged. */
  exemptionReason: blank,
});
const noEInvoiceFacts = eInvoiceFacts.parse({});

/** What a provider stores about a brand (column `brand.settings`); everything has a default. */
export const storedBrandSettings = z.object({
  endShowDashboard: flag,
  endShowInvoices: flag,
  endShowTransactions: flag,
  endShowUsage: flag,
  endShowReports: flag,
  endShowCostCentre: flag,
  endShowServiceItem: flag,
  endShowOpeningBalance: off,
  endShowUsageCostCentre: off,
  endPortalTransactionsExtraTab1: off,
  endPortalTransactionsExtraTab2: off,
  endPortalTransactionsExtraTab3: off,
  endPortalTransactionsExtraTab4: off,
  endPortalTransactionsExtraTab5: off,
  /** Headers of extra columns 1 to 5 of the transactions. */
  transactionExtraLabels: z._default(z.array(z.string().check(z.maxLength(60))).check(z.maxLength(5)), []),
  endServiceItemDisplayName: z._default(z.string(), 'Service Item'),
  endServiceId: z._default(z.nullable(z.string()), null),
  currencySymbol: z._default(z.string(), '$'),
  /** How many decimals people are shown of money: two, or as many as its currency has. */
  moneyDigits: z._default(z.enum(moneyDigits), 'two'),
  invoiceLabelSingular: z._default(z.string(), 'Invoice'),
  invoiceLabelPlural: z._default(z.string(), 'Invoices'),
  paymentsEnabled: flag,
  bulkPay: flag,
  billingAddressRequired: flag,
  cardHolderRequired: flag,
  emailReceipt: flag,
  /** Customers may pay another amount than what is due, of one invoice at a time. */
  partPayment: off,
  paymentTypeDisclaimer: z._default(z.string(), ''),
  directDebitPaymentMethodId: z._default(z.int(), 0),
  cardFee: z._default(feeSetting, { basisPoints: 0, fixedMinor: 0, capMinor: null }),
  bankFee: z._default(feeSetting, { basisPoints: 0, fixedMinor: 0, capMinor: null }),
  supportEmail: z._default(z.string(), ''),
  supportPhone: z._default(z.string(), ''),
  postalAddress: z._default(z.array(z.string()), []),
  /** What the law or a contract asks for, at the provider's own site: linked to at the foot of pages and mails. */
  termsUrl: z._default(z.string(), ''),
  imprintUrl: z._default(z.string(), ''),
  privacyUrl: z._default(z.string(), ''),
  /** Of the provider, as letters state it, with its own name: 'ABN 51 824 753 556'. */
  taxNumber: z._default(z.string(), ''),
  /** Where money can be sent without a gateway, a line each: 'IBAN DE02 …'. The reference is added to it. */
  bankDetails: z._default(z.array(z.string()), []),
  /** How else to pay, in the provider's own words; may have several lines. The reference is added to it. */
  paymentInstructions: z._default(z.string(), ''),
  /** Invoice PDFs list every usage record by number. */
  itemisedRecords: off,
  allowedOrigins: z._default(z.array(z.string()), []),
  language: z._default(z.string(), 'en'),
  mailTexts: z._default(mailTexts, {}),
  invoiceMails: z._default(invoiceMails, {
    newInvoices: false,
    withPdf: true,
    withUsageCsv: false,
    daysBefore: [],
    daysAfter: [],
  }),
  /** The provider as e-invoices state it. */
  eInvoice: z._default(eInvoiceFacts, noEInvoiceFacts),
  /** Who signs in by password needs a second factor. */
  requireSecondFactor: off,
});
export type StoredBrandSettings = z.infer<typeof storedBrandSettings>;

/** An address of the web that a page may link to; '' for none. */
const link = z.string().check(
  z.maxLength(500),
  z.refine((text) => text === '' || isWebLink(text), 'must be an address such as https://example.com/terms'),
);
function isWebLink(text: string): boolean {
  if (!/^https:\/\/[^\s"'<>]+$/.test(text)) return false;
  return URL.canParse(text);
}
/** Shown in one line, on pages and in mails and their subjects. */
const line = z.string().check(z.maxLength(200), z.regex(/^\P{Cc}*$/u, 'must be one line'));
/** Shown as it was written, line by line. */
const lines = z
  .string()
  .check(z.maxLength(1000), z.regex(/^(?:\P{Cc}|\n)*$/u, 'must be text, with line breaks at most'));
const isLanguage = (text: string): boolean => {
  try {
    return Intl.getCanonicalLocales(text).length === 1;
  } catch {
    return false;
  }
};

/**
 * The same as they may be set from now on. Stored ones from before these rules are still read, so that a page is served
 * all the same.
 */
export const brandSettingsToSet = z.extend(storedBrandSettings, {
  endServiceItemDisplayName: z._default(line, 'Service Item'),
  endServiceId: z._default(z.nullable(line), null),
  /** Left out: that of the brand's currency. */
  currencySymbol: z.optional(line),
  invoiceLabelSingular: z._default(line, 'Invoice'),
  invoiceLabelPlural: z._default(line, 'Invoices'),
  transactionExtraLabels: z._default(z.array(line.check(z.maxLength(60))).check(z.maxLength(5)), []),
  supportEmail: z._default(
    z.string().check(z.refine((text) => text === '' || isMailAddress(text), 'must be a mail address')),
    '',
  ),
  supportPhone: z._default(line, ''),
  postalAddress: z._default(z.array(line), []),
  termsUrl: z._default(link, ''),
  imprintUrl: z._default(link, ''),
  privacyUrl: z._default(link, ''),
  taxNumber: z._default(line, ''),
  bankDetails: z._default(z.array(line), []),
  paymentInstructions: z._default(lines, ''),
  allowedOrigins: z._default(
    z.array(
      z
        .string()
        .check(
          z.refine((text) => webOrigin(text) !== null, 'must be origins such as https://shop.example.com'),
        ),
    ),
    [],
  ),
  language: z._default(
    z.string().check(z.refine(isLanguage, 'must be a language such as en or de-CH')),
    'en',
  ),
});

const accountCode = z.string().check(z.minLength(1), z.maxLength(150), z.regex(/^\P{Cc}*$/u));

/** What a provider stores about a reseller (column `reseller.settings`): quirks are settings, not ids in code. */
export const storedResellerSettings = z.object({
  dataUsageChart: off,
  /** Codes of the record types whose units are data, and how many bytes one unit is. */
  dataUsageRecordTypes: z._default(z.array(z.string()), []),
  dataUsageUnitBytes: z._default(z.int().check(z.minimum(1)), 1_048_576),
  separateCardInputs: off,
  allowResellerCharge: off,
  requireCustomerPermissionForCharging: flag,
  confirmationMessageForCharging: z._default(z.string(), ''),
  hidePaymentTypesForCustomerUsers: off,
  /** What the provider's accounting calls the accounts of the ledger, code or name, in journals for it. */
  journalAccounts: z._default(
    z.strictObject({
      gateway: z.optional(accountCode),
      external: z.optional(accountCode),
      receivable: z.optional(accountCode),
      feeIncome: z.optional(accountCode),
      customerCredit: z.optional(accountCode),
      creditNote: z.optional(accountCode),
      adjustment: z.optional(accountCode),
      refunded: z.optional(accountCode),
      lostAtGateway: z.optional(accountCode),
    }),
    {},
  ),
  /** For how many years the law wants invoices kept: an erased customer's are as they were until then. */
  keepInvoicesYears: z._default(z.int().check(z.minimum(1), z.maximum(100)), 10),
  /** The rate of tax that Xero is told of each line. */
  journalTaxRate: z._default(z.string().check(z.maxLength(50)), 'Tax Exempt'),
});
export type StoredResellerSettings = z.infer<typeof storedResellerSettings>;

/** Answer of `GET /v1/brands-settings/{id}` and `?d={domain}`, public: before the sign-in, and all flags of pages (`usePortal().brand`). */
export const brandSettings = z.object({
  id: z.int(),
  resellerId: z.nullable(z.int()),
  name: z.string(),
  companyName: z.string(),
  colour1: hexColour,
  colour2: hexColour,
  colour3: hexColour,
  colour4: hexColour,
  colour5: hexColour,
  colour6: hexColour,
  colour7: hexColour,
  endShowDashboard: z.boolean(),
  endShowInvoices: z.boolean(),
  endShowTransactions: z.boolean(),
  endShowUsage: z.boolean(),
  endShowReports: z.boolean(),
  endShowCostCentre: z.boolean(),
  endShowServiceItem: z.boolean(),
  endShowOpeningBalance: z.boolean(),
  endShowUsageCostCentre: z.boolean(),
  endPortalTransactionsExtraTab1: z.boolean(),
  endPortalTransactionsExtraTab2: z.boolean(),
  endPortalTransactionsExtraTab3: z.boolean(),
  endPortalTransactionsExtraTab4: z.boolean(),
  endPortalTransactionsExtraTab5: z.boolean(),
  endServiceItemDisplayName: z.string(),
  endServiceId: z.nullable(z.string()),
  currency: z.string(),
  currencySymbol: z.object({ symbol: z.string() }),
  moneyDigits: z.enum(moneyDigits),
  invoiceLabelSingular: z.string(),
  invoiceLabelPlural: z.string(),
  timeZone: z.string(),
  language: z.string(),
  supportEmail: z.string(),
  supportPhone: z.string(),
  allowedOrigins: z.array(z.string()),
  separateCardInputs: z.boolean(),
  dataUsageChart: z.boolean(),
});
export type BrandSettings = z.infer<typeof brandSettings>;

export const brandQuery = z.object({ d: z.string().check(z.minLength(1), z.maxLength(255)) });
export const brandParams = z.object({
  id: z.coerce.number().check(z.int(), z.minimum(0), z.maximum(2_147_483_647)),
});

/** Answer of `GET /v1/ec/settings`: what only signed-in pages need (`usePortal().settings`). */
export const portalSettings = z.object({
  invoiceLabel: z.string(),
  invoiceLabelSingular: z.string(),
  invoiceLabelPlural: z.string(),
  companyName: z.string(),
  /** Invoices are offered as data too. */
  eInvoices: z.boolean(),
  /** Mails about invoices: whether the brand sends any, and whether they go to this person unless they choose otherwise. */
  invoiceMails: z.object({ sent: z.boolean(), toYou: z.boolean() }),
  payments: z.object({
    enabled: z.boolean(),
    bulk: z.boolean(),
    paymentType: z.int(),
    /** No payment can be begun here now: payments are off, there is no gateway, or it refuses its keys. */
    unavailable: z.boolean(),
    /** That is because they are paused for now, while it is found out what was paid. */
    paused: z.boolean(),
    /** How to pay otherwise, a line each. */
    bankDetails: z.array(z.string()),
    /** The same in the provider's own words; '' for none. */
    paymentInstructions: z.string(),
    billingAddressRequired: z.boolean(),
    emailReceipt: z.boolean(),
    /** The reseller hides Payment Types from its customers’ users. */
    hidePaymentTypesForCustomerUsers: z.boolean(),
  }),
});
export type PortalSettings = z.infer<typeof portalSettings>;

/** Written into each HTML page by the server, so that the first paint is the brand's. */
export const runtimeConfig = z.object({
  apiHost: z.string(),
  resellerApiHost: z.string(),
  brand: z.nullable(brandSettings),
  /** What a new password is measured by (settings PASSWORD_MIN_LENGTH and PASSWORD_RULE). */
  passwords: z.object({ minLength: z.int(), rule: z.enum(['composition', 'length']) }),
});
export type RuntimeConfig = z.infer<typeof runtimeConfig>;
