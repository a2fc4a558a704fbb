import type { CurrencyCode } from '@counterfoil/domain/money/money.ts';
import type { Rate } from '@counterfoil/domain/money/rate.ts';
import type { Day } from '@counterfoil/domain/time/dates.ts';

/**
 * An invoice or credit note as it came, in one shape for every format. Amounts are minor units of `currency`
 * with the sign the document gives them; quantities and prices are exact.
 *
 * What a format does not have is null, an empty list, 0 minor units, or '' for the code of a unit or a tax category. Two
 * members are more than words: `supplier` and `number` are the identity under which a document is known again, and
 * `taxes` is what the tax of each line is made of, by category and percentage; without it, lines have no tax.
 *
 * Later steps count on what every reader refuses, with the line: no number, or one of more than 200 characters; a currency
 * that is not known; more decimals than it has; more than 12 digits before the point, of quantities and prices too; more
 * than six decimals of these; a price for no quantity (`baseQuantity` not above 0); a day before 1900 or after 2199; no line, or
 * more than 20,000; a text of more than 10,000 characters, with a NUL or half a character; a file of more than
 * `maxDocumentBytes`. Sums that contradict each other are not refused: `contradictionsOf` tells of them.
 */
export interface ImportedInvoice {
  /** A negative invoice is an 'invoice' whose amounts are below zero. */
  readonly kind: 'invoice' | 'creditNote';
  readonly number: string;
  /** UNTDID 1001: 380 invoice, 381 credit note, 384 corrected invoice, … */
  readonly typeCode: string;
  readonly issuedOn: Day;
  readonly dueOn: Day | null;
  readonly currency: CurrencyCode;
  readonly period: Period | null;
  readonly supplier: ImportedParty;
  readonly buyer: ImportedParty;
  readonly notes: readonly string[];
  readonly costCentre: string | null;
  /** The invoiced object: the service item the whole document is about. */
  readonly serviceItem: string | null;
  readonly buyerReference: string | null;
  readonly orderReference: string | null;
  readonly contractReference: string | null;
  readonly paymentTerms: string | null;
  readonly paymentReferences: readonly string[];
  /** Invoices this document credits or corrects. */
  readonly billingReferences: readonly BillingReference[];
  readonly lines: readonly ImportedLine[];
  /** Allowances and charges on the whole document. */
  readonly allowances: readonly ImportedAllowance[];
  readonly taxMinor: bigint;
  readonly taxes: readonly ImportedTax[];
  /** The same tax in the currency it is paid in, where the document states it. */
  readonly taxElsewhere: ImportedTaxElsewhere | null;
  readonly totals: ImportedTotals;
}

export interface Period {
  readonly from: Day | null;
  readonly to: Day | null;
}

/** BT-6 and BT-111 of EN 16931: tax in the supplier's accounting currency. */
export interface ImportedTaxElsewhere {
  readonly currency: CurrencyCode;
  /** Minor units of that currency. */
  readonly taxMinor: bigint;
  /** Units of that currency for one of the document's, as stated; null where it is not. */
  readonly rate: Rate | null;
  readonly rateOn: Day | null;
}

export interface BillingReference {
  readonly number: string;
  readonly issuedOn: Day | null;
}

export interface Identifier {
  /** ISO 6523 or EAS code that says whose numbering it is; '' where none is given. */
  readonly scheme: string;
  readonly id: string;
}

export interface ImportedParty {
  /** Electronic address. */
  readonly endpoint: Identifier | null;
  readonly identifiers: readonly Identifier[];
  readonly legalId: Identifier | null;
  readonly taxId: string | null;
  /** Name it trades under; the registered one where there is no other. */
  readonly name: string;
  readonly legalName: string | null;
  readonly address: ImportedAddress;
  readonly email: string | null;
  readonly phone: string | null;
}

export interface ImportedAddress {
  readonly lines: readonly string[];
  readonly city: string | null;
  readonly postalCode: string | null;
  readonly region: string | null;
  /** ISO 3166-1 alpha-2 */
  readonly country: string | null;
}

export interface ImportedLine {
  /** Line of the file, for messages. */
  readonly at: number;
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly note: string | null;
  readonly productCode: string | null;
  readonly quantity: Rate;
  readonly unitCode: string;
  readonly price: Rate;
  /** The quantity the price is for. */
  readonly baseQuantity: Rate;
  readonly amountMinor: bigint;
  readonly period: Period | null;
  readonly costCentre: string | null;
  readonly serviceItem: string | null;
  /** Where it is; absent: where its service item is. */
  readonly site?: string;
  readonly orderLine: string | null;
  readonly allowances: readonly ImportedAllowance[];
  readonly taxCategory: string;
  readonly taxPercent: Rate | null;
  /** The extra columns of transactions, where there are any. */
  readonly extra?: readonly string[];
}

export interface ImportedAllowance {
  readonly isCharge: boolean;
  readonly reason: string | null;
  readonly percent: Rate | null;
  /** Positive where it lowers (allowance) or raises (charge) the sum. */
  readonly amountMinor: bigint;
  readonly baseMinor: bigint | null;
  readonly taxCategory: string;
  readonly taxPercent: Rate | null;
}

export interface ImportedTax {
  readonly category: string;
  readonly percent: Rate | null;
  readonly taxableMinor: bigint;
  readonly taxMinor: bigint;
}

export interface ImportedTotals {
  readonly linesMinor: bigint;
  readonly taxExclusiveMinor: bigint;
  readonly taxInclusiveMinor: bigint;
  readonly allowancesMinor: bigint;
  readonly chargesMinor: bigint;
  readonly prepaidMinor: bigint;
  readonly roundingMinor: bigint;
  readonly payableMinor: bigint;
}

/** What reading a document came to. */
export type InvoiceResult =
  | { readonly ok: true; readonly invoice: ImportedInvoice }
  | { readonly ok: false; readonly line: number; readonly reason: string };
