import type { BannerPattern, LogoMotif } from './brand-art.ts';

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

/** Areas switched off, e.g. `off('Dashboard', 'Reports')`. */
export const off = (...areas: readonly string[]) => areas.map((area) => `endShow${area}=false`);
/** The extra tabs of transactions by these numbers, and what their columns are called. */
export const extraTabs = (...numbers: readonly number[]) => [
  ...numbers.map((number) => `endPortalTransactionsExtraTab${number}=true`),
  'transactionExtraLabels=["Purchase order","Location","Agreement","Category","Tariff"]',
];
/** Where the customers of a brand find help. */
export const support = (domain: string, phone: string) => [
  `supportEmail=help@${domain}`,
  `supportPhone=${phone}`,
];
/** What a brand calls its invoices. */
export const labels = (singular: string, plural: string) => [
  `invoiceLabelSingular=${singular}`,
  `invoiceLabelPlural=${plural}`,
];
