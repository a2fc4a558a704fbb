import type { CurrencyCode } from '@counterfoil/domain/money/money.ts';

/**
 * An invoice or credit note in the terms of EN 16931-1, which both syntaxes write. Amounts are minor units of `currency`,
 * with the sign the document has: those of a credit note are positive. Quantities, prices and percentages are exact
 * decimals. What the invoice does not state is null, '' or an empty list; whether it may be missing, the rules say.
 */
export interface EInvoice {
  readonly kind: 'invoice' | 'creditNote';
  /** BT-1 */
  readonly number: string;
  /** BT-3, UNTDID 1001. */
  readonly typeCode: string;
  /** BT-2, `YYYY-MM-DD`. */
  readonly issuedOn: string;
  /** BT-9 */
  readonly dueOn: string | null;
  /** BT-5 */
  readonly currency: CurrencyCode;
  /** BG-14 */
  readonly period: EPeriod | null;
  /** BG-4 */
  readonly seller: EParty;
  /** BG-7 */
  readonly buyer: EParty;
  /** BT-22 */
  readonly note: string | null;
  /** BT-19 */
  readonly costCentre: string | null;
  /** BT-18 */
  readonly serviceItem: string | null;
  /** BT-10 */
  readonly buyerReference: string | null;
  /** BT-13 */
  readonly orderReference: string | null;
  /** BT-12 */
  readonly contractReference: string | null;
  /** BT-20 */
  readonly paymentTerms: string | null;
  /** BG-16, a credit transfer. */
  readonly payment: EPayment | null;
  /** BG-3 */
  readonly preceding: readonly { readonly number: string; readonly issuedOn: string | null }[];
  /** BG-25 */
  readonly lines: readonly ELine[];
  /** BG-20 and BG-21 */
  readonly allowances: readonly EAllowance[];
  /** BG-23 */
  readonly taxes: readonly ETax[];
  /** BT-6 and BT-111 */
  readonly taxElsewhere: { readonly currency: CurrencyCode; readonly taxMinor: bigint } | null;
  readonly totals: ETotals;
}

export interface EPeriod {
  readonly from: string | null;
  readonly to: string | null;
}

/** A number with the code of its numbering: EAS of an electronic address, ISO 6523 of a legal id. */
export interface EIdentifier {
  readonly scheme: string;
  readonly id: string;
}

export interface EParty {
  /** BT-27, BT-44 */
  readonly name: string;
  /** BT-28, BT-45, where it is another. */
  readonly tradingName: string | null;
  /** BT-29, BT-46 */
  readonly identifier: EIdentifier | null;
  /** BT-30, BT-47 */
  readonly legalId: EIdentifier | null;
  /** BT-31, BT-48 */
  readonly vatId: string | null;
  /** BT-34, BT-49 */
  readonly endpoint: EIdentifier | null;
  /** BT-35, BT-36, BT-162 */
  readonly street: readonly string[];
  readonly city: string | null;
  readonly postalCode: string | null;
  readonly region: string | null;
  /** BT-40, BT-55: ISO 3166-1 alpha-2, '' where it is not known. */
  readonly country: string;
}

export interface EPayment {
  readonly iban: string;
  readonly accountName: string | null;
  /** BT-83 */
  readonly reference: string;
}

export interface ELine {
  /** BT-126 */
  readonly id: string;
  /** BT-153 */
  readonly name: string;
  /** BT-154 */
  readonly description: string | null;
  /** BT-155 */
  readonly productCode: string | null;
  readonly quantity: string;
  /** BT-130, UN/ECE Recommendation 20; as it stands in the books where it is none of it. */
  readonly unit: string;
  /** BT-146 */
  readonly price: string;
  /** BT-149 */
  readonly baseQuantity: string;
  /** BT-131 */
  readonly amountMinor: bigint;
  readonly period: EPeriod | null;
  /** BT-133 */
  readonly costCentre: string | null;
  /** BT-128 */
  readonly serviceItem: string | null;
  /** BG-27 and BG-28: what of its amount quantity and price do not explain. */
  readonly allowances: readonly Omit<EAllowance, 'category' | 'percent'>[];
  readonly category: string;
  readonly percent: string | null;
}

export interface EAllowance {
  readonly isCharge: boolean;
  readonly reason: string;
  readonly amountMinor: bigint;
  readonly category: string;
  readonly percent: string | null;
}

export interface ETax {
  /** BT-118, UNTDID 5305. */
  readonly category: string;
  /** BT-119; null in category O. */
  readonly percent: string | null;
  readonly taxableMinor: bigint;
  readonly taxMinor: bigint;
  /** BT-120, where no tax is charged. */
  readonly exemptionReason: string | null;
}

export interface ETotals {
  /** BT-106 */
  readonly linesMinor: bigint;
  /** BT-107 */
  readonly allowancesMinor: bigint;
  /** BT-108 */
  readonly chargesMinor: bigint;
  /** BT-109 */
  readonly taxExclusiveMinor: bigint;
  /** BT-110 */
  readonly taxMinor: bigint;
  /** BT-112 */
  readonly taxInclusiveMinor: bigint;
  /** BT-113 */
  readonly prepaidMinor: bigint;
  /** BT-114 */
  readonly roundingMinor: bigint;
  /** BT-115 */
  readonly payableMinor: bigint;
}
