import { autoPaySlip, type ComingCharge } from '../../letters/auto-pay-slip.ts';
import { paperFor } from '../../letters/country.ts';
import { creditText } from '../../letters/credit-words.ts';
import { amountFormatter, currencyText, dayText, plainAmount, type Show } from '../../letters/figures.ts';
import { slipOf } from '../../letters/pay-slip.ts';
import { type LetterContext, recipientOf, senderOf } from '../../letters/sender.ts';
import type { Block, Fact, Headline, Letter, Slip, TableRow } from '../../pdf/letter/letter.ts';
import { bodyRows } from '../../pdf/letter/theme.ts';
import { brandUrl } from '../brand/service.ts';
import type { Account } from './account.ts';
import type { CustomerRow, OpenRow } from './queries.ts';

/** What a statement tells beside the account itself. */
export interface About extends LetterContext {
  readonly customer: CustomerRow;
  readonly dateFrom: string;
  readonly dateTo: string;
  readonly madeAt: Date;
  /** The brand's day on which it is made; 'YYYY-MM-DD'. */
  readonly today: string;
  /** Open amounts by due date, the first first. */
  readonly open: readonly OpenRow[];
  /** What auto-pay will take of it. */
  readonly coming: readonly ComingCharge[];
  /** The customer can pay in the portal. */
  readonly canPayOnline: boolean;
}

const kinds = {
  credit: 'Credit',
  payment: 'Payment',
  paymentReturned: 'Payment returned',
  adjustment: 'Adjustment',
} as const;

const ages = [
  ['notDue', 'Not yet due'],
  ['days1To30', '1 – 30 days'],
  ['days31To60', '31 – 60 days'],
  ['days61To90', '61 – 90 days'],
  ['over90', 'Over 90 days'],
  ['total', 'Together'],
] as const;

/** Entries that stay above the closing balance, with the sums below them. */
const KEPT = 8 + 2;
/** Due dates that the slip names; what is due later stands together. */
const MOST_DATES = 2;

/** The account as a letter: opening balance, every entry with what is owed after it, sums, closing balance, and ages. */
export function composeStatement(account: Account, about: About): Letter {
  const { brand, currency } = account;
  const { dateFrom, dateTo, customer, madeAt } = about;
  const show = amountFormatter(brand, currency);
  const paper = paperFor(customer.address.country ?? customer.country);
  const slip = slipFor(account, about, show);
  const facts: [string, string | null | undefined][] = [
    ['Period', `${dayText(dateFrom)} – ${dayText(dateTo)}`],
    ['Customer number', customer.external_ref],
    ['Currency', currencyText(currency)],
  ];
  const entries = entriesTable(account, about, show);
  const open = ageingBlocks(account, about, show);
  // Who reads page 1 only knows how it stands.
  const isLong = entries.rows.length + 7 > bodyRows(paper, slip !== undefined);
  return {
    title: 'Statement of account',
    runner: `Statement of account, ${dayText(dateFrom)} – ${dayText(dateTo)}`,
    paper,
    language: brand.settings.language,
    issuedAt: madeAt.toISOString(),
    sender: senderOf(about),
    recipient: recipientOf(customer.label, customer.address, customer.country),
    headline: headlineOf(account, about, show),
    facts: facts.flatMap(([label, value]): Fact[] => (value ? [{ label, value }] : [])),
    notices: [],
    blocks: isLong ? [...open, entries] : [entries, ...open],
    ...(slip === undefined ? {} : { slip }),
  };
}

const isCurrent = ({ dateTo, today }: About): boolean => dateTo >= today;

const overdueOf = ({ ageing }: Account): bigint => ageing.total - ageing.notDue;

function headlineOf(account: Account, about: About, show: Show): Headline {
  const { closing } = account;
  const overdue = overdueOf(account);
  const note = isCurrent(about) && overdue > 0n ? `Overdue: ${show(overdue)}` : `On ${dayText(about.dateTo)}`;
  return closing < 0n
    ? { caption: 'Closing balance, in your favour', amount: show(-closing), note }
    : { caption: 'Closing balance', amount: show(closing), note };
}

function entriesTable(account: Account, { dateFrom, dateTo }: About, show: Show) {
  const { brand, currency, entries } = account;
  const plain = (minor: bigint): string => plainAmount(minor, currency, brand);
  const rows: TableRow[] = entries.map(({ date, kind, reference, amount, balance }) => ({
    kind: 'line',
    cells: [
      dayText(date) ?? '',
      reference,
      kind === 'invoice' ? brand.settings.invoiceLabelSingular : kinds[kind],
      amount > 0n ? plain(amount) : '',
      amount < 0n ? plain(amount) : '',
      plain(balance),
    ],
    balance: show(balance),
  }));
  const count = `${entries.length.toLocaleString('en')} ${entries.length === 1 ? 'entry' : 'entries'}`;
  return {
    kind: 'table',
    isRuled: true,
    keep: KEPT,
    columns: [
      { label: 'Date' },
      { label: 'Document' },
      { label: 'What', grows: true },
      { label: 'Charged', isFigure: true },
      { label: 'Paid or credited', isFigure: true },
      { label: `Balance, ${currency}`, isFigure: true },
    ],
    rows: [
      {
        kind: 'group',
        cells: [`Opening balance on ${dayText(dateFrom)}`, '', '', '', '', show(account.opening)],
        balance: show(account.opening),
      },
      ...rows,
      { kind: 'sum', cells: [count, '', '', show(account.billed), show(account.paidAndCredited), ''] },
      {
        kind: 'total',
        cells: [`Closing balance on ${dayText(dateTo)}`, '', '', '', '', show(account.closing)],
      },
    ],
  } as const satisfies Block;
}

/** What is open on the day it is made, by how long it has been due, and credit that is not used. */
function ageingBlocks({ ageing, brand }: Account, about: About, show: Show): Block[] {
  const { today, canPayOnline } = about;
  const credit = ageing.credit;
  return [
    {
      kind: 'table',
      keep: 1,
      columns: [
        { label: `Open on ${dayText(today)}` },
        ...ages.map(([, label]) => ({ label, isFigure: true })),
      ],
      rows: [{ kind: 'line', cells: ['Days after the due date', ...ages.map(([age]) => show(ageing[age]))] }],
    },
    ...(credit === 0n
      ? []
      : [
          {
            kind: 'text',
            text: `Unused credit: ${show(credit)}. ${creditText(brand, { canPayOnline }, 'It')}`,
          } as const,
        ]),
    ...partByAutoPay(ageing.total, about, show),
  ];
}

/** What auto-pay takes of what is open, where the customer pays the rest; of all of it the slip tells. */
function partByAutoPay(openMinor: bigint, about: About, show: Show): Block[] {
  const { coming } = about;
  const due = coming.reduce((all, { dueMinor }) => all + dueMinor, 0n);
  if (!isCurrent(about) || coming.length === 0 || due === openMinor) return [];
  const byDay = [...Map.groupBy(coming, ({ chargeOn }) => chargeOn)].map(([day, own]) => {
    const total = own.reduce((all, { totalMinor }) => all + totalMinor, 0n);
    return `${show(total)} from ${own[0]?.method} on ${dayText(day)}`;
  });
  const [some, more] = [byDay.slice(0, MOST_DATES), byDay.length - MOST_DATES];
  const parts = [...some, ...(more > 0 ? [`the rest on ${more} later ${more === 1 ? 'day' : 'days'}`] : [])];
  return [
    {
      kind: 'text',
      text: `Auto-Pay takes ${parts.join(', ')}. There is nothing you have to do for this part.`,
    },
  ];
}

/** What is open now and when it is due, less the customer's credit; none with a statement of earlier days. */
function slipFor(account: Account, about: About, show: Show): Slip | undefined {
  const { ageing, brand } = account;
  const { open, today, customer, publicUrl, canPayOnline, coming } = about;
  const sum = (of: (charge: ComingCharge) => bigint): bigint =>
    coming.reduce((all, charge) => all + of(charge), 0n);
  const [byAutoPay, ofCredit] = [sum(({ dueMinor }) => dueMinor), sum(({ creditMinor }) => creditMinor)];
  const amount = ageing.total - ageing.credit - (byAutoPay - ofCredit);
  const reference = customer.external_ref ?? undefined;
  if (!isCurrent(about)) return undefined;
  if (coming.length > 0 && byAutoPay === ageing.total)
    return autoPaySlip(brand, coming, { reference, isOpen: false }, show);
  if (amount <= 0n) return undefined;
  const later = open.filter(({ due_on: due }) => due === null || due >= today);
  const named = later.filter(({ due_on: due }) => due !== null).slice(0, MOST_DATES);
  const rest = later.slice(named.length).reduce((sum, { minor }) => sum + minor, 0n);
  const parts: [string, bigint][] = [
    ['Overdue, due now', overdueOf(account)],
    ...named.map(({ due_on: due, minor }): [string, bigint] => [`Due ${dayText(due)}`, minor]),
    ['Later', rest],
    ['By Auto-Pay', -(byAutoPay - ofCredit)],
    ['Your credit', -ageing.credit],
  ];
  return slipOf(brand, {
    amount: show(amount),
    facts: parts.flatMap(([label, minor]) => (minor === 0n ? [] : [{ label, value: show(minor) }])),
    reference,
    payLink: canPayOnline ? brandUrl(brand, publicUrl, '/invoices') : undefined,
    linkNote: 'Sign in and choose what to pay',
  });
}
