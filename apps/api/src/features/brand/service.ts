import { domainToASCII } from 'node:url';
import {
  type BrandSettings,
  DEFAULT_COLOURS,
  type StoredBrandSettings,
  type StoredResellerSettings,
  storedBrandSettings,
  storedResellerSettings,
} from '@counterfoil/contract/brand.ts';
import { isNegative, type Money, negateMoney } from '@counterfoil/domain/money/money.ts';
import { formatShown } from '@counterfoil/domain/money/shown.ts';
import type { BrandRow } from './queries.ts';

/** A brand with its settings parsed; the shape the rest of the server works with. */
export interface Brand {
  readonly id: number;
  readonly resellerId: number | null;
  readonly name: string;
  readonly companyName: string;
  readonly colours: readonly string[];
  readonly timeZone: string;
  readonly currency: string;
  readonly mainHost: string | null;
  readonly settings: StoredBrandSettings;
  readonly reseller: StoredResellerSettings;
}

/** Reads a brand's row; settings a provider left out take their specified defaults. */
export function brandFromRow(row: BrandRow): Brand {
  return {
    id: row.id,
    resellerId: row.reseller_id,
    name: row.name,
    companyName: row.company_name,
    colours: row.colours,
    timeZone: row.time_zone,
    currency: row.currency,
    mainHost: row.main_host,
    settings: storedBrandSettings.parse(row.settings),
    reseller: storedResellerSettings.parse(row.reseller_settings),
  };
}

/** What the portal may know of a brand. */
export function presentBrand(brand: Brand): BrandSettings {
  const { settings } = brand;
  const colour = (index: number) => brand.colours[index] ?? DEFAULT_COLOURS[index] ?? '#ffffff';
  return {
    id: brand.id,
    resellerId: brand.resellerId,
    name: brand.name,
    companyName: brand.companyName,
    colour1: colour(0),
    colour2: colour(1),
    colour3: colour(2),
    colour4: colour(3),
    colour5: colour(4),
    colour6: colour(5),
    colour7: colour(6),
    endShowDashboard: settings.endShowDashboard,
    endShowInvoices: settings.endShowInvoices,
    endShowTransactions: settings.endShowTransactions,
    endShowUsage: settings.endShowUsage,
    endShowReports: settings.endShowReports,
    endShowCostCentre: settings.endShowCostCentre,
    endShowServiceItem: settings.endShowServiceItem,
    endShowOpeningBalance: settings.endShowOpeningBalance,
    endShowUsageCostCentre: settings.endShowUsageCostCentre,
    endPortalTransactionsExtraTab1: settings.endPortalTransactionsExtraTab1,
    endPortalTransactionsExtraTab2: settings.endPortalTransactionsExtraTab2,
    endPortalTransactionsExtraTab3: settings.endPortalTransactionsExtraTab3,
    endPortalTransactionsExtraTab4: settings.endPortalTransactionsExtraTab4,
    endPortalTransactionsExtraTab5: settings.endPortalTransactionsExtraTab5,
    endServiceItemDisplayName: settings.endServiceItemDisplayName,
    endServiceId: settings.endServiceId,
    currency: brand.currency,
    currencySymbol: { symbol: settings.currencySymbol },
    moneyDigits: settings.moneyDigits,
    invoiceLabelSingular: settings.invoiceLabelSingular,
    invoiceLabelPlural: settings.invoiceLabelPlural,
    timeZone: brand.timeZone,
    language: settings.language,
    supportEmail: settings.supportEmail,
    supportPhone: settings.supportPhone,
    allowedOrigins: [...settings.allowedOrigins],
    separateCardInputs: brand.reseller.separateCardInputs,
    dataUsageChart: brand.reseller.dataUsageChart,
  };
}

/** A host name as it is stored: lower case, without port and trailing dot, international names in ASCII. */
export function normaliseHost(host: string): string {
  const name = host.trim().toLowerCase().replace(/:\d+$/, '').replace(/\.$/, '');
  return domainToASCII(name) || name;
}

/** Address of a page at the brand's own host, never at the host the request named. */
export function brandUrl(brand: Pick<Brand, 'mainHost'>, publicUrl: URL, path: string): string {
  const url = new URL(path, publicUrl);
  if (brand.mainHost !== null) url.hostname = brand.mainHost;
  return url.href;
}

/** How an amount's currency is written before it: the brand's symbol where it is the brand's, else the code. */
export const symbolOf = ({ currency, settings }: Pick<Brand, 'currency' | 'settings'>, of: string): string =>
  of === currency ? settings.currencySymbol : `${of} `;

/** An amount as mails, messages and consents say it, without grouping: '$1234.50', '-$5.00', 'JPY 1200.00'. */
export function amountText(brand: Pick<Brand, 'currency' | 'settings'>, amount: Money): string {
  const size = formatShown(isNegative(amount) ? negateMoney(amount) : amount, brand.settings.moneyDigits);
  return `${isNegative(amount) ? '-' : ''}${symbolOf(brand, amount.currency)}${size}`;
}

/** A page of the provider's own that the law or a contract asks for. */
export interface LegalLink {
  readonly label: string;
  readonly url: string;
}

/** What stands at the foot of pages and mails: terms, imprint and privacy, as far as the brand has them. */
export const legalLinksOf = (settings: StoredBrandSettings): readonly LegalLink[] =>
  (
    [
      ['Terms', settings.termsUrl],
      ['Imprint', settings.imprintUrl],
      ['Privacy', settings.privacyUrl],
    ] as const
  ).flatMap(([label, url]) => (url === '' ? [] : [{ label, url }]));
