import type { PaymentInfo } from '@counterfoil/contract/public-pay.ts';
import { formatMoment, formatMoney } from '../../lib/format.ts';
import type { SumRow } from '../../ui/sum-rows.tsx';
import { amountRows } from './invoice-summary.tsx';
import { t as page } from './messages.ts';
import { t } from './outcome-messages.ts';
import type { Outcome } from './pay-view.ts';

interface OutcomeRowsInput {
  readonly info: PaymentInfo | undefined;
  readonly outcome: Outcome | undefined;
  readonly label: string;
  /** What is left to be paid. */
  readonly stillDue?: string | undefined;
  /** What the time of the attempt is called on this slip. */
  readonly when: 'fact.paidOn' | 'fact.triedOn' | 'fact.sentOn';
}

/** Nothing is called paid that is not. */
const methodLabels = {
  'fact.paidOn': 'fact.paidWith',
  'fact.triedOn': 'fact.triedWith',
  'fact.sentOn': 'fact.method',
} as const;

/** The facts below the perforation; what is not known has no row. */
export function outcomeRows({ info, outcome, label, when, stillDue }: OutcomeRowsInput): readonly SumRow[] {
  const rows: SumRow[] = [];
  if (info) rows.push({ id: 'number', label: page('fact.number', { label }), value: info.InvoiceNumber });
  // After the payment the invoice has nothing due: the parts of the sum are told while they are known.
  if (stillDue !== undefined) {
    rows.push({ id: 'stillDue', label: t('failed.stillToPay'), value: formatMoney(stillDue) });
  } else if (when === 'fact.paidOn' && info && Number(outcome?.amount) === Number(info.total)) {
    rows.push(...amountRows(info, label).map(({ total: _, ...row }) => row));
  }
  if (outcome === undefined) return rows;
  const { method, at, reference } = outcome;
  if (method) rows.push({ id: 'method', label: t(methodLabels[when]), value: method });
  if (at !== undefined) rows.push({ id: 'when', label: t(when), value: t('fact.moment', formatMoment(at)) });
  const referenceLabel = when === 'fact.triedOn' ? t('fact.supportReference') : t('fact.reference');
  if (reference) rows.push({ id: 'reference', label: referenceLabel, value: reference });
  return rows;
}
