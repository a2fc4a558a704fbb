import { formatDecimal, money } from '@counterfoil/domain/money.ts';
import { cellText } from '../../pdf/table/table-columns.ts';
import type { Labelled, TableDocument } from '../../pdf/table/table-document.ts';
import type { Account } from './service.ts';

interface About {
  readonly customer: string;
  readonly dateFrom: string;
  readonly dateTo: string;
  readonly madeAt: Date;
}

const kinds = {
  credit: 'Credit',
  payment: 'Payment',
  paymentReturned: 'Payment returned',
  adjustment: 'Adjustment',
} as const;

const ages = [
  ['notDue', 'Not due'],
  ['days1To30', '1–30 days overdue'],
  ['days31To60', '31–60 days overdue'],
  ['days61To90', '61–90 days overdue'],
  ['over90', 'Over 90 days overdue'],
  ['total', 'Total'],
  ['credit', 'Unused credit'],
] as const;

/** The account on paper: its opening balance, every entry with what is owed after it, the closing balance, and ages. */
export function composeStatement(account: Account, about: About): TableDocument {
  const { brand, currency, ageing } = account;
  const { dateFrom, dateTo, customer, madeAt } = about;
  const decimal = (minor: bigint) => formatDecimal(money(minor, currency));
  const printed = (minor: bigint) => cellText('money', decimal(minor));
  return {
    head: {
      ...{ title: 'Statement', company: brand.companyName, customer, madeAt },
      asked: [
        ['Period', `${cellText('day', dateFrom)} – ${cellText('day', dateTo)}`],
        ['Currency', currency],
        ['Billed', printed(account.billed)],
        ['Paid and credited', printed(account.paidAndCredited)],
      ],
      columns: [
        { label: 'Date', kind: 'day' },
        { label: 'Entry', kind: 'text' },
        { label: 'Reference', kind: 'text' },
        { label: 'Amount', kind: 'money' },
        { label: 'Balance', kind: 'money' },
      ],
      foot: {
        title: 'Open today, by age',
        figures: ages.map(([age, label]): Labelled => [label, printed(ageing[age])]),
      },
    },
    rows: [
      [dateFrom, 'Opening balance', null, null, decimal(account.opening)],
      ...account.entries.map(({ date, kind, reference, amount, balance }) => [
        date,
        kind === 'invoice' ? brand.settings.invoiceLabelSingular : kinds[kind],
        ...[reference, decimal(amount), decimal(balance)],
      ]),
      [dateTo, 'Closing balance', null, null, decimal(account.closing)],
    ],
  };
}
