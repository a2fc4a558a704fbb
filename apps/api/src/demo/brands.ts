import type { BannerPattern, LogoMotif } from './brand-art.ts';
import { letterSettings } from './brand-letters.ts';

/** A brand of the demo world, as the provider's commands would make it. */
export interface DemoBrand {
  readonly id: number;
  readonly resellerId: number;
  readonly name: string;
  readonly companyName: string;
  /** The first is the main one. */
  readonly hosts: readonly string[];
  readonly colours: readonly string[];
  readonly currency: string;
  readonly timeZone: string;
  /** ISO 3166-1 alpha-2 */
  readonly country: string;
  readonly city: string;
  /** Begins its invoice numbers. */
  readonly prefix: string;
  /** Prices follow those in US dollars by this share, in percent. */
  readonly pricePercent: number;
  /** Basis points of tax on most charges; roaming is free of it where `roamingTaxed` is false. */
  readonly taxPoints: number;
  readonly roamingTaxed: boolean;
  readonly motif: LogoMotif;
  readonly pattern: BannerPattern;
  readonly settings: readonly string[];
}

/** The resellers, with their settings as the provider's commands take them. */
export const demoResellers: readonly {
  readonly id: number;
  readonly name: string;
  readonly settings: readonly string[];
}[] = [
  {
    id: 2204,
    name: 'Halyard Telecom',
    settings: [
      'dataUsageChart=true',
      'dataUsageRecordTypes=mobile-data,roaming-data',
      'allowResellerCharge=true',
      'confirmationMessageForCharging=Halyard Telecom will charge your default payment method on the due date of each invoice.',
    ],
  },
  { id: 8266, name: 'Split Rock Communications', settings: ['separateCardInputs=true'] },
  {
    id: 3002,
    name: 'Meridian Voice & Data',
    settings: ['allowResellerCharge=true', 'requireCustomerPermissionForCharging=false'],
  },
  { id: 3004, name: 'Ironwood Networks', settings: ['hidePaymentTypesForCustomerUsers=true'] },
  { id: 3005, name: 'Moraine Wireless', settings: ['allowResellerCharge=true'] },
  { id: 3006, name: 'Saltbush Mobile', settings: [] },
  { id: 3008, name: 'Quayside Carriers', settings: ['allowResellerCharge=true'] },
  { id: 3010, name: 'Bluegum Business Telco', settings: [] },
  { id: 3012, name: 'Thistle & Loom Telecom', settings: [] },
  { id: 3000, name: 'Palmyra Connect', settings: [] },
];

/** Areas switched off, e.g. `off('Dashboard', 'Reports')`. */
const off = (...areas: readonly string[]) => areas.map((area) => `endShow${area}=false`);
const extraTabs = (...numbers: readonly number[]) => [
  ...numbers.map((number) => `endPortalTransactionsExtraTab${number}=true`),
  'transactionExtraLabels=["Purchase order","Site","Agreement","Category","Tariff"]',
];
const support = (domain: string, phone: string) => [`supportEmail=help@${domain}`, `supportPhone=${phone}`];
const labels = (singular: string, plural: string) => [
  `invoiceLabelSingular=${singular}`,
  `invoiceLabelPlural=${plural}`,
];

const brands: readonly DemoBrand[] = [
  {
    ...{ id: 1, resellerId: 2204, name: 'Halyard Telecom', companyName: 'Halyard Telecom Inc.' },
    hosts: ['localhost', 'stripe.localhost'],
    colours: ['#ffffff', '#1b6ec2', '#6b7a8c', '#dcebfa', '#0d2b4e', '#f3f8fd', '#e2e8ef'],
    ...{ currency: 'USD', timeZone: 'America/New_York', country: 'US', city: 'Portland', prefix: 'HAL' },
    ...{ pricePercent: 100, taxPoints: 725, roamingTaxed: true, motif: 'sail', pattern: 'waves' },
    settings: [
      'endShowOpeningBalance=true',
      'endShowUsageCostCentre=true',
      ...extraTabs(1, 2, 3, 4, 5),
      'endServiceItemDisplayName=Phone Number',
      'directDebitPaymentMethodId=2',
      'paymentTypeDisclaimer=Cards are stored by our payment provider. We never see your card number.',
      ...support('halyard.example', '+1 207 555 0100'),
    ],
  },
  {
    ...{ id: 2, resellerId: 2204, name: 'Halyard Australia', companyName: 'Halyard Australia Pty Ltd' },
    hosts: ['au.localhost'],
    colours: ['#ffffff', '#00843d', '#71806f', '#dff3e6', '#12372a', '#f2faf5', '#e1eae4'],
    ...{ currency: 'AUD', timeZone: 'Australia/Sydney', country: 'AU', city: 'Sydney', prefix: 'HAU' },
    ...{ pricePercent: 150, taxPoints: 1000, roamingTaxed: false, motif: 'leaf', pattern: 'arcs' },
    settings: [
      'currencySymbol=A$',
      ...labels('Bill', 'Bills'),
      'directDebitPaymentMethodId=1',
      'cardFee.basisPoints=110',
      'cardFee.capMinor=900',
      ...extraTabs(1),
      ...support('halyard.example', '+61 2 5550 0100'),
    ],
  },
  {
    ...{ id: 3, resellerId: 2204, name: 'Voltline', companyName: 'Voltline, a Halyard brand' },
    hosts: ['us.localhost'],
    colours: ['#ffffff', '#e6ff00', '#c4c9a6', '#f4ffa3', '#e6ff00', '#fbffe3', '#eef2cf'],
    ...{ currency: 'USD', timeZone: 'America/Los_Angeles', country: 'US', city: 'Oakland', prefix: 'VLT' },
    ...{ pricePercent: 90, taxPoints: 950, roamingTaxed: true, motif: 'bolt', pattern: 'dots' },
    settings: [
      ...off('CostCentre', 'ServiceItem'),
      'directDebitPaymentMethodId=2',
      'cardFee.basisPoints=290',
      'cardFee.fixedMinor=30',
      'bankFee.basisPoints=80',
      'bankFee.capMinor=500',
      ...extraTabs(1, 2),
      ...support('voltline.example', '+1 510 555 0100'),
    ],
  },
  {
    ...{ id: 4, resellerId: 2204, name: 'Halyard UK', companyName: 'Halyard Communications Ltd' },
    hosts: ['gb.localhost'],
    colours: ['#fdfcf9', '#7a1f3d', '#7b706f', '#f4e3e8', '#2b1420', '#faf4f1', '#e9e1de'],
    ...{ currency: 'GBP', timeZone: 'Europe/London', country: 'GB', city: 'Bristol', prefix: 'HUK' },
    ...{ pricePercent: 80, taxPoints: 2000, roamingTaxed: false, motif: 'knot', pattern: 'lines' },
    settings: [
      'currencySymbol=£',
      ...labels('Statement', 'Statements'),
      ...off('Dashboard'),
      'directDebitPaymentMethodId=3',
      'bankFee.fixedMinor=25',
      'language=en-GB',
      ...support('halyard.example', '+44 117 496 0100'),
    ],
  },
  {
    ...{ id: 5, resellerId: 2204, name: 'Halyard Europa', companyName: 'Halyard Europa GmbH' },
    hosts: ['eu.localhost'],
    colours: ['#ffffff', '#3598db', '#94a1a3', '#def1fe', '#005e80', '#eef8fe', '#e7ebef'],
    ...{ currency: 'EUR', timeZone: 'Europe/Berlin', country: 'DE', city: 'Hamburg', prefix: 'HEU' },
    ...{ pricePercent: 92, taxPoints: 1900, roamingTaxed: true, motif: 'ring', pattern: 'waves' },
    settings: [
      'currencySymbol=€',
      'directDebitPaymentMethodId=4',
      'partPayment=true',
      'language=de',
      ...extraTabs(1, 2, 3),
      ...support('halyard.example', '+49 30 23125 000'),
    ],
  },
  {
    ...{ id: 6, resellerId: 8266, name: 'Split Rock', companyName: 'Split Rock Communications LLC' },
    hosts: ['split.localhost'],
    colours: ['#777777', '#777777', '#777777', '#777777', '#777777', '#777777', '#777777'],
    ...{ currency: 'USD', timeZone: 'America/Denver', country: 'US', city: 'Boulder', prefix: 'SRC' },
    ...{ pricePercent: 105, taxPoints: 400, roamingTaxed: true, motif: 'rock', pattern: 'lines' },
    settings: [
      ...off('Dashboard', 'Transactions', 'Reports', 'CostCentre', 'ServiceItem'),
      ...['bulkPay=false', 'emailReceipt=false', 'billingAddressRequired=false', 'cardHolderRequired=false'],
      ...support('splitrock.example', '+1 303 555 0100'),
    ],
  },
  {
    ...{ id: 7, resellerId: 3002, name: 'Meridian', companyName: 'Meridian Voice & Data, Inc.' },
    hosts: ['authorize.localhost'],
    colours: ['#ffffff', '#d9480f', '#86776e', '#ffe8db', '#41210f', '#fff6f0', '#efe4dc'],
    ...{ currency: 'USD', timeZone: 'America/Chicago', country: 'US', city: 'Omaha', prefix: 'MVD' },
    ...{ pricePercent: 98, taxPoints: 550, roamingTaxed: true, motif: 'ring', pattern: 'arcs' },
    settings: [
      ...['endShowOpeningBalance=true', 'directDebitPaymentMethodId=1', 'bankFee.fixedMinor=100'],
      ...extraTabs(2, 4),
      ...support('meridian.example', '+1 402 555 0100'),
    ],
  },
  {
    ...{ id: 8, resellerId: 3004, name: 'Ironwood', companyName: 'Ironwood Networks Corp.' },
    hosts: ['ippay.localhost'],
    colours: ['#0b0e14', '#f2b705', '#a8adb8', '#2a2f3a', '#000000', '#171b24', '#2c3340'],
    ...{ currency: 'USD', timeZone: 'America/Phoenix', country: 'US', city: 'Tempe', prefix: 'IWN' },
    ...{ pricePercent: 110, taxPoints: 860, roamingTaxed: true, motif: 'hexagon', pattern: 'grid' },
    settings: [
      ...off('Transactions'),
      'directDebitPaymentMethodId=1',
      ...support('ironwood.example', '+1 602 555 0100'),
    ],
  },
  {
    ...{ id: 9, resellerId: 3005, name: 'Moraine', companyName: 'Moraine Wireless Ltd.' },
    hosts: ['moneris.localhost'],
    colours: ['#ffffff', '#0b7285', '#5f7a80', '#d8f1f5', '#083c47', '#eefafc', '#dbe7ea'],
    ...{ currency: 'CAD', timeZone: 'America/Toronto', country: 'CA', city: 'Kingston', prefix: 'MOR' },
    ...{ pricePercent: 135, taxPoints: 1300, roamingTaxed: true, motif: 'waves', pattern: 'waves' },
    settings: [
      'currencySymbol=C$',
      'cardFee.basisPoints=150',
      ...support('moraine.example', '+1 613 555 0100'),
    ],
  },
  {
    ...{ id: 10, resellerId: 3006, name: 'Saltbush', companyName: 'Saltbush Mobile Pty Ltd' },
    hosts: ['pinch.localhost'],
    colours: ['#fffafc', '#ffb3d1', '#f0c7da', '#fff0f6', '#ffd6e7', '#fff5f9', '#fbe4ee'],
    ...{ currency: 'AUD', timeZone: 'Australia/Adelaide', country: 'AU', city: 'Adelaide', prefix: 'SBM' },
    ...{ pricePercent: 145, taxPoints: 1000, roamingTaxed: false, motif: 'leaf', pattern: 'dots' },
    settings: [
      ...['currencySymbol=A$', 'directDebitPaymentMethodId=1', 'endServiceItemDisplayName=Mobile Service'],
      ...labels('Account', 'Accounts'),
      ...support('saltbush.example', '+61 8 5550 0100'),
    ],
  },
  {
    ...{ id: 11, resellerId: 3008, name: 'Quayside', companyName: 'Quayside Carriers, Inc.' },
    hosts: ['nexio.localhost'],
    colours: ['#ffffff', '#5f3dc4', '#7d7694', '#e8e1fb', '#2b1c5a', '#f6f3fe', '#e5e1ef'],
    ...{ currency: 'USD', timeZone: 'America/Anchorage', country: 'US', city: 'Juneau', prefix: 'QSC' },
    ...{ pricePercent: 120, taxPoints: 500, roamingTaxed: true, motif: 'knot', pattern: 'grid' },
    settings: [
      'directDebitPaymentMethodId=1',
      ...off('Reports'),
      ...support('quayside.example', '+1 907 555 0100'),
    ],
  },
  {
    ...{ id: 12, resellerId: 3010, name: 'Bluegum', companyName: 'Bluegum Business Telco Pty Ltd' },
    hosts: ['bpoint.localhost'],
    colours: ['#ffffff', '#1c7ed6', '#8b98a5', '#d0ebff', '#1864ab', '#e7f5ff', '#dee2e6'],
    ...{ currency: 'AUD', timeZone: 'Australia/Melbourne', country: 'AU', city: 'Geelong', prefix: 'BGB' },
    ...{ pricePercent: 155, taxPoints: 1000, roamingTaxed: false, motif: 'hexagon', pattern: 'arcs' },
    settings: [
      ...['currencySymbol=$', 'directDebitPaymentMethodId=1', 'endShowUsageCostCentre=true'],
      ...extraTabs(3, 5),
      ...support('bluegum.example', '+61 3 5550 0100'),
    ],
  },
  {
    ...{ id: 13, resellerId: 3012, name: 'Thistle & Loom', companyName: 'Thistle & Loom Telecom Ltd' },
    hosts: ['gocardless.localhost'],
    colours: ['white', '#663399', '#708090', '#e6e6fa', '#4b0082', '#f8f8ff', '#dcdcdc'],
    ...{ currency: 'GBP', timeZone: 'Europe/London', country: 'GB', city: 'Dundee', prefix: 'TLT' },
    ...{ pricePercent: 78, taxPoints: 2000, roamingTaxed: false, motif: 'bolt', pattern: 'lines' },
    settings: [
      ...['currencySymbol=£', 'directDebitPaymentMethodId=1', 'language=en-GB'],
      ...support('thistleloom.example', '+44 1382 496 100'),
    ],
  },
  {
    ...{ id: 14, resellerId: 3000, name: 'Palmyra Connect', companyName: 'Palmyra Connect W.L.L.' },
    hosts: ['none.localhost'],
    colours: ['#ffffff', '#b08900', '#857c63', '#fbf1cf', '#3b3100', '#fdf9ea', '#ece6d3'],
    ...{ currency: 'KWD', timeZone: 'Asia/Kuwait', country: 'KW', city: 'Kuwait City', prefix: 'PAL' },
    ...{ pricePercent: 31, taxPoints: 0, roamingTaxed: false, motif: 'rock', pattern: 'dots' },
    settings: ['currencySymbol=KD', ...support('palmyra.example', '+965 2200 0100')],
  },
];

export const demoBrands: readonly DemoBrand[] = brands.map((brand) => ({
  ...brand,
  settings: [...brand.settings, ...letterSettings(brand)],
}));
