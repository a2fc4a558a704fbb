import { formatDay } from '@counterfoil/domain/time/day.ts';
import { clockIn, zoneInFull, zoneName } from '@counterfoil/domain/time/time-zone.ts';
import { paperFor } from '../../../letters/country.ts';
import { creditText } from '../../../letters/credit-words.ts';
import { amountFormatter, currencyText, dayText, type Show } from '../../../letters/figures.ts';
import { type LetterContext, recipientOf, senderOf } from '../../../letters/sender.ts';
import type { Block, Fact, Headline, Letter, TableRow } from '../../../pdf/letter/letter.ts';
import type { PaidInvoiceStated, PaidRow } from '../paid.ts';
import { paidOn, receiptLines, stillDue } from './receipt-lines.ts';

/** More invoices stand in the tax table together. */
const MOST_INVOICES = 6;

/** The receipt on paper. The same payment gives the same bytes, until something of it is refunded. */
export function receiptLetter(context: LetterContext, payment: PaidRow): Letter {
  const { brand } = context;
  const { currency, ref, at } = payment;
  const show = amountFormatter(brand, currency);
  const facts: [string, string | null][] = [
    ['Payment reference', ref],
    ['Customer number', payment.customer_ref],
    ['Currency', currencyText(currency)],
  ];
  return {
    title: `Receipt ${ref}`,
    runner: `Receipt ${ref} of ${paidOn(brand, at)}`,
    paper: paperFor(payment.address.country ?? payment.country),
    language: brand.settings.language,
    issuedAt: at.toISOString(),
    sender: senderOf(context),
    recipient: recipientOf(payment.label, payment.address, payment.country),
    headline: headlineOf(payment, show, `${clockText(brand.timeZone, at)} ${zoneName(brand.timeZone, at)}`),
    facts: facts.flatMap(([label, value]): Fact[] => (value === null ? [] : [{ label, value }])),
    notices: [],
    blocks: [
      paidTable(context, payment, show),
      ...taxBlocks(payment, show),
      whatWhenHow(context, payment, show),
      ...keptAsCredit(context, payment, show),
      {
        kind: 'text',
        isMuted: true,
        text: `This receipt confirms your payment. What was charged is on ${named(payment, brand.settings)}; keep both for your books.`,
      },
    ],
  };
}

/** What becomes of what was paid beyond what was due. */
const keptAsCredit = (context: LetterContext, payment: PaidRow, show: Show): Block[] => {
  const { to_credit_minor: kept, amount_minor: taken } = payment;
  if (kept <= 0n || payment.reversed_minor >= taken) return [];
  const canPayOnline = context.brand.settings.paymentsEnabled;
  return [{ kind: 'text', text: creditText(context.brand, { canPayOnline }, `${show(kept)} of it`) }];
};

/** '12.01.2026, 14:05:22'. */
function clockText(timeZone: string, at: Date): string {
  const { day, clock } = clockIn(timeZone, at);
  return `${formatDay(day)}, ${clock}`;
}

const named = (
  { invoices }: PaidRow,
  words: { readonly invoiceLabelSingular: string; readonly invoiceLabelPlural: string },
): string =>
  invoices.length === 1
    ? `${words.invoiceLabelSingular} ${invoices[0]?.number ?? ''}`
    : `the ${words.invoiceLabelPlural.toLowerCase()} named above`;

const paidMinor = (payment: PaidRow): bigint =>
  payment.amount_minor === 0n ? payment.credit_minor : payment.amount_minor;

const ofPayment = ({ ref, reversed_fee_minor: fee }: PaidRow, show: Show): string =>
  fee === 0n ? `Of payment ${ref}` : `Of payment ${ref}, of which fee ${show(fee)}`;

const isAllBack = (payment: PaidRow): boolean =>
  payment.reversed_minor > 0n && payment.reversed_minor >= payment.amount_minor;

const backLabel = ({ was_returned: wasReturned }: PaidRow): string => (wasReturned ? 'Returned' : 'Refunded');

function headlineOf(payment: PaidRow, show: Show, moment: string): Headline {
  const total = paidMinor(payment);
  // It is the payment's time, not that of what came back.
  const note = payment.reversed_minor > 0n ? `Paid ${moment}` : moment;
  if (isAllBack(payment))
    return { caption: backLabel(payment), standing: 'partly', amount: show(-payment.reversed_minor), note };
  if (payment.reversed_minor > 0n) {
    const left = show(total - payment.reversed_minor);
    return { caption: `${backLabel(payment)} in part`, standing: 'partly', amount: left, note };
  }
  if (stillDue(payment).length > 0)
    return { caption: 'Paid in part', standing: 'partly', amount: show(total), note };
  const caption = payment.amount_minor === 0n ? 'Paid from credit' : 'Paid';
  return { caption, standing: 'settled', amount: show(total), note };
}

function paidTable({ brand }: LetterContext, payment: PaidRow, show: Show): Block {
  const { invoiceLabelSingular: label } = brand.settings;
  const day = paidOn(brand, payment.at);
  const of = payment.invoices.filter(({ minor }) => BigInt(minor) !== 0n);
  const lines = receiptLines(brand, payment);
  const [total] = lines.filter(({ isTotal }) => isTotal === true);
  const others = lines.slice(of.length, total === undefined ? 0 : lines.indexOf(total));
  const rows: TableRow[] = [
    ...of.map(
      (invoice): TableRow => ({
        kind: 'line',
        cells: [
          `${label} ${invoice.number}`,
          dayText(invoice.issuedOn) ?? '',
          detailOf(invoice, show),
          show(BigInt(invoice.minor)),
        ],
      }),
    ),
    ...others.map((line): TableRow => ({ kind: 'line', cells: [line.label, day, '', show(line.minor)] })),
    {
      kind: 'total',
      cells: [
        payment.amount_minor === 0n ? 'Paid from credit' : 'Total paid',
        '',
        '',
        show(paidMinor(payment)),
      ],
    },
  ];
  const back: TableRow[] =
    payment.reversed_minor === 0n
      ? []
      : [
          {
            kind: 'line',
            cells: [backLabel(payment), '', ofPayment(payment, show), show(-payment.reversed_minor)],
          },
          { kind: 'sum', cells: ['Left paid', '', '', show(paidMinor(payment) - payment.reversed_minor)] },
        ];
  return {
    kind: 'table',
    isRuled: true,
    keep: 2 + back.length,
    columns: [
      { label: 'Paid for' },
      { label: 'Date' },
      { label: 'Detail', grows: true },
      { label: 'Amount', isFigure: true },
    ],
    rows: [...rows, ...back],
  };
}

function detailOf({ left, minor, total }: PaidInvoiceStated, show: Show): string {
  if (left !== null && BigInt(left) > 0n) return `${show(BigInt(left))} still to pay`;
  return BigInt(minor) === BigInt(total) ? '' : `Of ${show(BigInt(total))}`;
}

interface TaxPart {
  readonly label: string;
  readonly rate: string;
  readonly net: bigint;
  readonly tax: bigint;
}

/** The tax the invoices state, by rate. What a fee holds of tax nobody has stated: it is left out. */
function taxBlocks(payment: PaidRow, show: Show): Block[] {
  const { invoices } = payment;
  if (invoices.length === 0 || invoices.some(({ taxes }) => taxes.length === 0)) return [];
  const parts = invoices.flatMap(({ number, taxes }) =>
    taxes.map(
      ({ percent, taxableMinor, taxMinor }): TaxPart => ({
        label: number,
        rate: percent === null ? '' : `${Number(percent)}%`,
        net: BigInt(taxableMinor),
        tax: BigInt(taxMinor),
      }),
    ),
  );
  const shown = invoices.length > MOST_INVOICES ? byRate(parts, invoices.length) : parts;
  const sum = (of: (part: TaxPart) => bigint): bigint => shown.reduce((all, part) => all + of(part), 0n);
  const cells = (label: string, rate: string, net: bigint, tax: bigint): string[] => [
    label,
    rate,
    show(net),
    show(tax),
    show(net + tax),
  ];
  const together = cells(
    'Together',
    '',
    sum(({ net }) => net),
    sum(({ tax }) => tax),
  );
  return [
    {
      kind: 'table',
      isRuled: true,
      keep: 2,
      columns: [
        { label: 'Tax on what was charged' },
        { label: 'Rate', isFigure: true },
        { label: 'Net', isFigure: true },
        { label: 'Tax', isFigure: true },
        { label: 'Gross', isFigure: true },
      ],
      rows: [
        ...shown.map(
          (part): TableRow => ({ kind: 'line', cells: cells(part.label, part.rate, part.net, part.tax) }),
        ),
        ...(shown.length > 1 ? [{ kind: 'sum', cells: together } as const] : []),
      ],
    },
    ...explained(
      payment,
      sum(({ net, tax }) => net + tax),
      show,
    ),
  ];
}

function byRate(parts: readonly TaxPart[], count: number): TaxPart[] {
  return [...Map.groupBy(parts, ({ rate }) => rate)].map(([rate, own]) => ({
    label: `${count} invoices`,
    rate,
    net: own.reduce((all, { net }) => all + net, 0n),
    tax: own.reduce((all, { tax }) => all + tax, 0n),
  }));
}

/** How the table's sum becomes what was paid, where they differ. */
function explained({ invoices, to_fee_minor: fee }: PaidRow, gross: bigint, show: Show): Block[] {
  const paid = invoices.reduce((all, { minor }) => all + BigInt(minor), 0n);
  const isKnown = invoices.every(({ left }) => left !== null);
  const left = invoices.reduce((all, invoice) => all + BigInt(invoice.left ?? '0'), 0n);
  const otherwise = gross - paid - left;
  const sentences = [
    isKnown && otherwise > 0n
      ? `${show(gross)} less ${show(otherwise)} already settled${left > 0n ? ` and ${show(left)} still to pay` : ''} is ${show(paid)}.`
      : '',
    isKnown && otherwise === 0n && left > 0n
      ? `${show(gross)} less ${show(left)} still to pay is ${show(paid)}.`
      : '',
    fee > 0n ? 'The fee is not part of this table.' : '',
  ].filter(Boolean);
  return sentences.length === 0 ? [] : [{ kind: 'text', isMuted: true, text: sentences.join(' ') }];
}

function whatWhenHow({ brand }: LetterContext, payment: PaidRow, show: Show): Block {
  const { method, at, asked_minor: asked, amount_minor: taken } = payment;
  const { timeZone, settings } = brand;
  const due = stillDue(payment).map(
    ({ number, minor }) => `${settings.invoiceLabelSingular} ${number}: ${show(minor)}`,
  );
  const isKnown = payment.invoices.every(({ left }) => left !== null);
  // What was true then is not any more once something came back.
  const isInFull = isKnown && payment.reversed_minor === 0n;
  const open = due.length > 0 ? ['Still to pay:', ...due] : isInFull ? ['Nothing: paid in full.'] : [];
  const other = asked !== null && taken > 0n && asked !== taken ? [`Asked for: ${show(asked)}`] : [];
  const left = [...open, ...other];
  return {
    kind: 'columns',
    columns: [
      {
        title: 'How',
        lines: [method ?? (taken === 0n ? 'From your credit' : 'Online payment'), `Reference ${payment.ref}`],
      },
      { title: 'When', lines: [clockText(timeZone, at), zoneInFull(timeZone, at)] },
      ...(left.length === 0 ? [] : [{ title: 'What is left', lines: left }]),
    ],
  };
}
