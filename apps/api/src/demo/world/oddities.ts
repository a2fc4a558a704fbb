import { parseMoney } from '@counterfoil/domain/money/money.ts';
import { plainLine } from './bills.ts';
import { type DemoMonth, dueDay, HISTORY_MONTHS, issueDay } from './calendar.ts';
import type { DemoFate, Draft } from './documents.ts';
import { type Settled, settle } from './history.ts';
import { fixedId } from './random.ts';
import type { UsageScope } from './usage.ts';

interface Oddity {
  readonly customer: string;
  readonly series: string;
  readonly currency?: string;
  readonly lines: readonly (readonly [name: string, details: string, amount: string])[];
  readonly taxPoints?: number;
  readonly misstatedBy?: bigint;
  readonly note?: string;
  readonly fate: DemoFate;
}

/** Documents that real life brings sometimes, beside the monthly ones. */
const oddities: readonly Oddity[] = [
  {
    customer: 'mariner',
    series: '901',
    currency: 'JPY',
    taxPoints: 0,
    lines: [
      ['Conference line Yokohama', 'Settled in the partner’s currency', '38000'],
      ['Interpreter on call', '4 hours', '24800'],
    ],
    note: 'Charged by our partner in Japan, in yen.',
    fate: 'open',
  },
  {
    customer: 'mariner',
    series: '902',
    lines: [['Return of the deposit for two handsets', 'Handsets received', '-120.00']],
    taxPoints: 0,
    note: 'A negative invoice: we owe you this amount.',
    fate: 'open',
  },
  {
    customer: 'mariner',
    series: '903',
    lines: [
      ['Wireless headset', '2 pieces', '158.00'],
      ['Charging cradle', '2 pieces', '44.50'],
    ],
    misstatedBy: 1000n,
    fate: 'open',
  },
  {
    customer: 'byron',
    series: '904',
    lines: [
      ['Installation of the meeting room', 'One visit', '420.00'],
      ['Conference telephone', '1 piece', '310.00'],
    ],
    fate: 'partPaid',
  },
];

/** The odd documents of one customer. @param months all months of the world */
export function oddDocuments(scope: UsageScope, months: readonly DemoMonth[]): readonly Settled[] {
  const month = months[HISTORY_MONTHS - 1];
  if (month === undefined) return [];
  return oddities
    .filter((one) => one.customer === scope.customer.key)
    .flatMap((one) => settle(draftOf(scope, month, one), one.fate));
}

function draftOf({ customer, brand, subscriptions }: UsageScope, month: DemoMonth, one: Oddity): Draft {
  const issuedOn = issueDay(month);
  const number = `${brand.prefix}-${issuedOn.slice(0, 7).replace('-', '')}-${one.series}`;
  const currency = one.currency ?? brand.currency;
  const ms = Date.parse(issuedOn);
  return {
    customer,
    brand,
    kind: 'invoice',
    number,
    currency,
    issuedOn,
    // Later in the order of ids than the monthly invoice of the same day, which is to come first.
    id: fixedId(`invoice ${number}`, ms, Number(one.series)),
    dueOn: one.lines.some(([, , amount]) => amount.startsWith('-')) ? null : dueDay(month),
    period: null,
    agreementId: subscriptions.agreements[0]?.id ?? null,
    lines: one.lines.map(([name, details, amount], at) =>
      plainLine({
        id: fixedId(`line ${number} ${at}`, ms),
        kind: 'line',
        name,
        details,
        month,
        amount: parseMoney(amount, currency),
        taxPoints: one.taxPoints ?? brand.taxPoints,
      }),
    ),
    ...(one.misstatedBy === undefined ? {} : { misstatedBy: one.misstatedBy }),
    ...(one.note === undefined ? {} : { note: one.note }),
  };
}
