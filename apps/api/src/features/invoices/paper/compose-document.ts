import type { Invoice } from '@counterfoil/contract/invoices.ts';
import { shownDecimals } from '@counterfoil/domain/money/shown-decimals.ts';
import { autoPaySlip, type ComingCharge } from '../../../letters/auto-pay-slip.ts';
import { paperFor } from '../../../letters/country.ts';
import { creditText } from '../../../letters/credit-words.ts';
import { amountFormatter, dayText, plainAmount, type Show, signOf } from '../../../letters/figures.ts';
import { slipOf } from '../../../letters/pay-slip.ts';
import { type LetterContext, recipientOf, senderOf } from '../../../letters/sender.ts';
import type { Aside, Bars, Block, Fact, Headline, Letter, Slip } from '../../../pdf/letter/letter.ts';
import { noticeRows } from '../../../pdf/letter/notices.ts';
import { bodyRows } from '../../../pdf/letter/theme.ts';
import { brandUrl } from '../../brand/service.ts';
import type { InvoiceDetailRow, LineUsageRow } from '../invoice-row.ts';
import type { BilledNumberRow } from '../queries.ts';
import { type Sums, sumRows } from '../sums.ts';
import { itemisedBlocks } from './itemised.ts';
import type { BilledLine } from './line-facts.ts';
import { dueMinor, isVoid } from './paper-money.ts';
import type { Charges, ChargesOn, Written } from './summary.ts';

export interface DocumentParts extends LetterContext, Sums {
  readonly charges: ChargesOn;
  readonly invoice: Pick<Invoice, 'periodLabel' | 'waitsForPayer' | 'canPay' | 'payToken'>;
  /** The bills before this one, the latest first. */
  readonly before: readonly { readonly issued_on: string; readonly total_minor: bigint }[];
  /** Where auto-pay will charge it. */
  readonly coming: ComingCharge | undefined;
  /** It goes to whoever has the pay link. */
  readonly isOpen: boolean;
  /** The customer can pay in the portal. */
  readonly canPayOnline: boolean;
  /** Where the brand itemises usage. */
  readonly itemised?: {
    /** That billed usage. */
    readonly lines: readonly BilledLine[];
    readonly usage: readonly LineUsageRow[];
    readonly numbers: readonly BilledNumberRow[];
  };
}

/** Bills shown as bars beside the current one; with fewer than two, none are. */
const FEWEST_BARS = 2;

/** How the amounts of an invoice are written. */
export const writtenFor = ({ row, brand }: Pick<DocumentParts, 'row' | 'brand'>): Written => ({
  show: amountFormatter(brand, row.currency),
  sign: signOf(brand, row.currency),
  decimals: shownDecimals(row.currency, brand.settings.moneyDigits).least,
  costCentre: row.details.costCentre ?? null,
});

/** Decides everything an invoice or credit note shows on paper: exact amounts, dates, notices, the pay link. */
export async function composeDocument(parts: DocumentParts): Promise<Letter> {
  const { row, brand } = parts;
  const written = writtenFor(parts);
  const { show } = written;
  const isCredit = row.kind === 'creditNote';
  const [credited] = isCredit ? parts.credits : [];
  const kind = isCredit ? 'Credit note' : 'Invoice';
  const title = `${kind} ${row.number}${credited === undefined ? '' : ` for ${credited.number}`}`;
  const paper = paperFor(row.buyer.address?.country ?? row.customer_country);
  const slip = slipFor(parts, show);
  const notices = row.discrepancies.map((one) => discrepancyText(one, show));
  const sums = sumRows(parts, show, 5).length + 1;
  const room = bodyRows(paper, slip !== undefined) - sums - noticeRows(notices.length);
  const charges = await parts.charges(written, room);
  const aside = charges.all === undefined ? undefined : asideOf(parts);
  return {
    title,
    runner: `${kind} ${row.number} of ${dayText(row.issued_on) ?? ''}`,
    paper,
    language: brand.settings.language,
    issuedAt: `${row.issued_on}T00:00:00Z`,
    sender: senderOf(parts, {
      ...(row.supplier.legalName || row.supplier.name
        ? { name: row.supplier.legalName || row.supplier.name || '' }
        : {}),
      ...(row.supplier.address === undefined ? {} : { address: row.supplier.address }),
      ...(row.supplier.taxId ? { taxNumber: `Tax number ${row.supplier.taxId}` } : {}),
    }),
    recipient: recipientFor(row),
    headline: headlineOf(parts, show),
    facts: factsOf(parts),
    notices,
    blocks: blocksOf(parts, charges, show),
    ...(aside === undefined ? {} : { aside }),
    ...(slip === undefined ? {} : { slip }),
  };
}

function recipientFor({ buyer, customer_label: label }: InvoiceDetailRow) {
  const { name, lines } = recipientOf(buyer.name || label, buyer.address);
  const legal = buyer.legalName && buyer.legalName !== buyer.name ? [buyer.legalName] : [];
  return { name, lines: [...legal, ...lines] };
}

function blocksOf(parts: DocumentParts, charges: Charges, show: Show): Block[] {
  const { row, brand, itemised, publicUrl } = parts;
  const sums = sumRows(parts, show, charges.columns.length);
  const none = { kind: 'line', cells: ['This document has no lines.'] } as const;
  const { paymentTerms, note } = row.details;
  const notes = [paymentTerms, note].filter(
    (text): text is string => typeof text === 'string' && text !== '',
  );
  return [
    {
      kind: 'table',
      columns: charges.columns,
      keep: sums.length,
      rows: [...(charges.rows.length === 0 ? [none] : charges.rows), ...sums],
    },
    ...taxElsewhere(parts),
    ...inFavour(parts, show),
    ...notes.map((text): Block => ({ kind: 'text', text })),
    ...(charges.all === undefined ? [] : [charges.all]),
    ...(itemised === undefined
      ? []
      : itemisedBlocks({
          ...itemised,
          sign: signOf(brand, row.currency),
          timeZone: brand.timeZone,
          portal: brandUrl(brand, publicUrl, `/invoices/${row.id}`),
        })),
  ];
}

/** The tax in the currency in which the provider pays it, where the invoice states that; nothing is converted here. */
function taxElsewhere({ row, brand }: DocumentParts): Block[] {
  const stated = row.details.taxElsewhere;
  if (stated === undefined) return [];
  const { currency, taxMinor, rate, rateOn } = stated;
  const show = amountFormatter(brand, currency);
  const day = dayText(rateOn);
  const at = rate === null ? '' : `, at ${Number(rate)} ${currency} for 1 ${row.currency}`;
  const of = rate === null || day === undefined ? '' : ` of ${day}`;
  return [{ kind: 'text', text: `Tax in ${currency}: ${show(BigInt(taxMinor))}${at}${of}.` }];
}

/** What becomes of a credit, or of what was paid too much. */
function inFavour({ row, brand, credits, canPayOnline }: DocumentParts, show: Show): Block[] {
  const due = dueMinor(row);
  const isCredit = row.payable_minor < 0n;
  if (isVoid(row) || (!isCredit && due >= 0n)) return [];
  const used = isCredit ? credits.reduce((all, { amount_minor: minor }) => all + minor, 0n) : 0n;
  const left = (isCredit ? -row.payable_minor : -due) - used;
  const taken = credits.map((one) => `${show(one.amount_minor)} is taken off invoice ${one.number}.`);
  const kept = left > 0n ? [creditText(brand, { canPayOnline }, used > 0n ? show(left) : 'This amount')] : [];
  return [{ kind: 'text', text: [...(isCredit ? taken : []), ...kept].join(' ') }];
}

function headlineOf({ row, credits, coming }: DocumentParts, show: Show): Headline {
  if (row.kind === 'creditNote') {
    const note = credits.map(({ number }) => number).join(', ');
    return { caption: 'Credit', amount: show(row.total_minor), note: note === '' ? '' : `For ${note}` };
  }
  const due = dueMinor(row);
  if (due < 0n) return { caption: 'In your favour', amount: show(-due), note: '' };
  if (due === 0n) {
    const isSettled = row.payable_minor > 0n && !isVoid(row);
    return {
      caption: isSettled ? 'Paid' : 'Amount due',
      ...(isSettled ? { standing: 'settled' as const } : {}),
      amount: isVoid(row) ? show(0n) : 'Nothing to pay',
      note: isVoid(row) ? 'Void' : '',
    };
  }
  const day = dayText(row.due_on);
  const note =
    coming === undefined ? `Due ${day}` : `Auto-Pay on ${dayText(coming.chargeOn)}: no need to pay`;
  return { caption: 'Amount due', amount: show(due), note: day === undefined ? '' : note };
}

function factsOf({ row, invoice }: DocumentParts): Fact[] {
  const isCredit = row.kind === 'creditNote';
  const { costCentre } = row.details;
  const facts: [string, string | null | undefined][] = [
    [isCredit ? 'Credit note number' : 'Invoice number', row.number],
    [isCredit ? 'Credit note date' : 'Invoice date', dayText(row.issued_on)],
    ['Billing period', invoice.periodLabel],
    ['Customer number', row.customer_ref],
    ['Cost Centre', costCentre],
    ['Your tax number', row.buyer.taxId],
  ];
  return facts.flatMap(([label, value]) => (value ? [{ label, value }] : []));
}

/** Nothing to pay with where nothing is to be paid, or where a payment is under way. */
function slipFor(parts: DocumentParts, show: Show): Slip | undefined {
  const { row, invoice, brand, publicUrl, coming, isOpen } = parts;
  const due = dueMinor(row);
  const isUnderWay = row.attempt_open && !invoice.waitsForPayer;
  if (row.kind === 'creditNote' || due <= 0n || isUnderWay) return undefined;
  if (coming !== undefined) return autoPaySlip(brand, [coming], { reference: row.number, isOpen }, show);
  const day = dayText(row.due_on);
  const canPay = invoice.canPay && invoice.payToken !== null;
  return slipOf(brand, {
    amount: show(due),
    facts: day === undefined ? [] : [{ label: 'Due', value: day }],
    reference: row.number,
    payLink: canPay ? brandUrl(brand, publicUrl, `/pay/${invoice.payToken}`) : undefined,
  });
}

function asideOf({ row, before, brand }: DocumentParts): Aside | undefined {
  const { supportEmail, supportPhone } = brand.settings;
  const bars = row.kind === 'invoice' && row.total_minor > 0n ? barsOf(row, before, brand) : undefined;
  const lines = [supportPhone, supportEmail].filter(Boolean);
  if (bars === undefined && lines.length === 0) return undefined;
  return {
    title: row.kind === 'creditNote' ? 'Questions?' : 'Questions about this bill?',
    lines,
    ...(bars === undefined ? {} : { bars }),
  };
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

function barsOf(
  row: InvoiceDetailRow,
  before: DocumentParts['before'],
  brand: DocumentParts['brand'],
): Bars | undefined {
  if (before.length < FEWEST_BARS) return undefined;
  const bills = [...before.toReversed(), row];
  const highest = bills.reduce((most, bill) => (bill.total_minor > most ? bill.total_minor : most), 1n);
  const names = ['', 'two', 'three', 'four', 'five', 'six'];
  const [last] = before;
  const change = row.total_minor - (last?.total_minor ?? 0n);
  const size = amountFormatter(brand, row.currency)(change < 0n ? -change : change);
  const sign = signOf(brand, row.currency).trim();
  return {
    title: `Your last ${names[bills.length - 1] ?? bills.length} bills, ${sign}`,
    bars: bills.map((bill) => ({
      label: MONTHS[Number(bill.issued_on.slice(5, 7)) - 1] ?? '',
      // Whole units: the sums are exact in the table.
      value: plainAmount(bill.total_minor, row.currency, brand).replace(/\.\d+$/, ''),
      share: Number((bill.total_minor * 1000n) / highest) / 1000,
    })),
    remark: change === 0n ? '' : `${size} ${change > 0n ? 'more' : 'less'} than the bill before.`,
  };
}

function discrepancyText(found: InvoiceDetailRow['discrepancies'][number], show: Show): string {
  const expected = show(BigInt(found.expectedMinor));
  const stated = show(BigInt(found.statedMinor));
  switch (found.kind) {
    case 'linesVsSubtotal':
      return `The lines add up to ${expected}, the invoice states a subtotal of ${stated}.`;
    case 'subtotalPlusTaxVsTotal':
      return `Subtotal and tax add up to ${expected}, the invoice states a total of ${stated}.`;
    case 'totalVsPayable':
      return `Total, rounding and prepaid amount give ${expected}, the invoice states ${stated} to pay.`;
    case 'lineAmount':
      return `Line ${found.lineNo ?? ''}: quantity and price give ${expected}, the line states ${stated}.`;
    case 'allowances':
      return `The allowances add up to ${expected}, the invoice states ${stated}.`;
    case 'charges':
      return `The charges add up to ${expected}, the invoice states ${stated}.`;
    case 'taxParts':
      return `The parts of the tax add up to ${expected}, the invoice states a tax of ${stated}.`;
    case 'taxableParts':
      return `The taxed parts add up to ${expected}, the invoice states a subtotal of ${stated}.`;
  }
}
