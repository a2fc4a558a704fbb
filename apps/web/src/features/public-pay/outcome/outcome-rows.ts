import type { PaymentInfo } from '@counterfoil/contract/paying/public-pay.ts';
import { factRows, type When } from '../../../paying/fact-rows.ts';
import { t } from '../../../paying/outcome/outcome-messages.ts';
import type { Outcome } from '../../../paying/view.ts';
import { formatMoney } from '../../../text/format.ts';
import type { SumRow } from '../../../ui/data/sum-rows.tsx';
import { amountRows } from '../form/invoice-summary.tsx';
import { t as page } from '../messages.ts';

interface OutcomeRowsInput {
  readonly info: PaymentInfo | undefined;
  readonly outcome: Outcome | undefined;
  readonly label: string;
  /** What is left to be paid. */
  readonly stillDue?: string | undefined;
  readonly when: When;
}

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
  return [...rows, ...factRows(outcome, when)];
}
