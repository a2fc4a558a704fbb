import { DEFAULT_COLOURS } from '@counterfoil/contract/brand.ts';
import type { Invoice } from '@counterfoil/contract/invoices.ts';
import { formatDay, isDay, parseDay } from '@counterfoil/domain/day.ts';
import { InvoiceStatus } from '@counterfoil/domain/invoice.ts';
import { formatDecimal, money } from '@counterfoil/domain/money.ts';
import { brandRoles } from '@counterfoil/domain/palette.ts';
import { parseRate, type Rate, roundRate } from '@counterfoil/domain/rate.ts';
import { type Brand, brandUrl } from '../brand/service.ts';
import type { InvoiceDetailRow, InvoiceLineRow, StoredParty } from './invoice-row.ts';
import type {
  BrandColours,
  Fact,
  InvoiceDocument,
  InvoiceDocumentLine,
  Logo,
  Party,
} from './pdf/document.ts';

export interface DocumentParts {
  readonly row: InvoiceDetailRow;
  readonly lines: readonly InvoiceLineRow[];
  readonly credits: readonly { number: string; amount_minor: bigint }[];
  readonly invoice: Invoice;
  readonly brand: Brand;
  readonly logo: Logo | undefined;
  readonly publicUrl: URL;
}

/** Decides everything a PDF shows: exact amounts, dates, notices, the pay link. */
export function composeDocument(parts: DocumentParts): InvoiceDocument {
  const { row, brand, invoice } = parts;
  const show = amountFormatter(brand, row.currency);
  const due = formatDate(row.due_on);
  const { costCentre, note, paymentTerms } = row.details;
  const payLink =
    invoice.canPay && invoice.payToken !== null
      ? brandUrl(brand, parts.publicUrl, `/pay/${invoice.payToken}`)
      : undefined;
  const [credited] = row.kind === 'creditNote' ? parts.credits : [];
  return {
    kind: row.kind,
    number: row.number,
    language: brand.settings.language,
    issuedAt: `${row.issued_on}T00:00:00Z`,
    brand: {
      name: brand.companyName,
      ...(parts.logo === undefined ? {} : { logo: parts.logo }),
      colours: coloursOf(brand),
      footer: footerOf(brand),
    },
    supplier: partyOf(row.supplier, brand.companyName),
    customer: partyOf(row.buyer, row.customer_label),
    issueDate: formatDate(row.issued_on) ?? '',
    ...(due === undefined ? {} : { dueDate: due }),
    ...(invoice.periodLabel === null ? {} : { period: invoice.periodLabel }),
    facts: costCentre ? [{ label: 'Cost Centre', value: costCentre }] : [],
    ...(credited === undefined ? {} : { creditedInvoice: credited.number }),
    lines: parts.lines.map((line) => documentLine(line, show, costCentre ?? null)),
    subtotal: show(row.subtotal_minor),
    taxes: row.taxes.map((tax) => ({
      label: `Tax${tax.percent === null ? '' : ` ${Number(tax.percent)} %`} of ${show(BigInt(tax.taxableMinor))}`,
      amount: show(BigInt(tax.taxMinor)),
    })),
    tax: show(row.tax_minor),
    total: show(row.total_minor),
    settlements: settlementsOf(parts, show),
    amountDue: show(row.kind === 'invoice' ? dueMinor(row) : row.payable_minor),
    ...(isVoid(row) ? { amountNote: 'Void' } : invoice.paid ? { amountNote: 'Paid' } : {}),
    ...(payLink === undefined ? {} : { payLink }),
    notices: row.discrepancies.map((one) => discrepancyText(one, show)),
    notes: [paymentTerms, note].filter((text): text is string => typeof text === 'string' && text !== ''),
  };
}

type Show = (minor: bigint) => string;

/** Symbol (or currency code) and exact digits, the minus first. */
export function amountFormatter(brand: Brand, currency: string): Show {
  const symbol = currency === brand.currency ? brand.settings.currencySymbol : `${currency} `;
  return (minor) => {
    const text = formatDecimal(money(minor < 0n ? -minor : minor, currency));
    const [whole = '', fraction] = text.split('.');
    const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
    return `${minor < 0n ? '−' : ''}${symbol}${grouped}${fraction === undefined ? '' : `.${fraction}`}`;
  };
}

const isVoid = (row: InvoiceDetailRow) => row.status === InvoiceStatus.VOID;

const dueMinor = (row: InvoiceDetailRow) =>
  isVoid(row) ? 0n : row.payable_minor - row.paid_minor - row.credited_minor + row.reversed_minor;

function settlementsOf({ row, credits }: DocumentParts, show: Show): Fact[] {
  const paid = row.paid_minor - row.reversed_minor;
  const noted = credits.reduce((sum, credit) => sum + credit.amount_minor, 0n);
  const facts: [string, bigint][] = [
    ['Rounding', row.rounding_minor],
    ['Prepaid', -row.prepaid_minor],
    ['Payments', -paid],
    ...(row.kind === 'invoice'
      ? [
          ...credits.map((credit): [string, bigint] => [`Credit ${credit.number}`, -credit.amount_minor]),
          // Of the customer's balance, with no credit note of its own.
          ['Credit used', noted - row.credited_minor] as [string, bigint],
        ]
      : []),
  ];
  return facts.filter(([, minor]) => minor !== 0n).map(([label, minor]) => ({ label, value: show(minor) }));
}

/** @param common cost centre of the whole invoice; not repeated on its lines */
function documentLine(line: InvoiceLineRow, show: Show, common: string | null): InvoiceDocumentLine {
  const period = [formatDate(line.date_from), formatDate(line.date_to)].filter((day) => day !== undefined);
  return {
    description: line.product_name,
    ...(line.details === '' ? {} : { details: line.details }),
    ...(line.service_item === '' ? {} : { serviceItem: line.service_item }),
    ...(line.cost_centre && line.cost_centre !== common ? { costCentre: line.cost_centre } : {}),
    ...(period.length === 2 ? { period: period.join(' – ') } : {}),
    quantity: trimDecimals(parseRate(line.quantity)),
    unitPrice: priceText(parseRate(line.price)),
    amount: show(line.amount_minor),
  };
}

/** Quantities as short as they are exact. */
const trimDecimals = (rate: Rate): string => rate.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '');

/** Two decimals where these are exact, else four: usage prices carry four. */
function priceText(price: Rate): string {
  const four = roundRate(price, 4);
  return four.endsWith('00') ? four.slice(0, -2) : four;
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

function formatDate(day: string | null): string | undefined {
  return day !== null && isDay(day) ? formatDay(parseDay(day)) : undefined;
}

function partyOf(party: StoredParty, fallback: string): Party {
  const { address } = party;
  const place = [address?.postalCode, address?.city].filter(Boolean).join(' ');
  const lines = [
    ...(party.legalName && party.legalName !== party.name ? [party.legalName] : []),
    ...(address?.lines ?? []),
    place,
    [address?.region, address?.country].filter(Boolean).join(', '),
    party.taxId ?? '',
    party.email ?? '',
    party.phone ?? '',
  ];
  return { name: party.name || fallback, lines: lines.filter((line) => line !== '') };
}

function coloursOf(brand: Brand): BrandColours {
  const roles = brandRoles(brand.colours.length === 7 ? [...brand.colours] : [...DEFAULT_COLOURS], 'light');
  return {
    header: roles.header,
    accent: roles.accent,
    onAccent: roles['on-accent'],
    accentText: roles['accent-text'],
    ink: roles.ink,
    inkMuted: roles['ink-muted'],
    line: roles.line,
    lineStrong: roles['line-strong'],
    ground: roles.hover,
  };
}

function footerOf({ settings, companyName }: Brand): string[] {
  const contact = [settings.supportEmail, settings.supportPhone].filter(Boolean).join(' · ');
  return [[companyName, ...settings.postalAddress].join(', '), contact].filter(Boolean);
}
