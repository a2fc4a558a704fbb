import type { SumRow } from '../../ui/sum-rows.tsx';
import { formatMoment, formatMoney } from '../format.ts';
import type { BulkView } from './bulk-view.ts';
import { type IntentRow, intentRows, type MethodKind, totalWith } from './intent-rows.ts';
import { t } from './messages.ts';

type When = 'fact.paidOn' | 'fact.triedOn' | 'fact.sentOn';

/** The kind of method whose total is what was charged. */
function kindCharged({ intent, outcome }: BulkView): MethodKind | undefined {
  const amount = outcome?.amount;
  if (intent === undefined || amount === undefined) return undefined;
  return (['card', 'bank'] as const).find((kind) => Number(totalWith(intent, kind)) === Number(amount));
}

/** Invoices, the fee that was taken and adjustments. */
const linesOf = (view: BulkView): readonly IntentRow[] =>
  view.intent === undefined
    ? []
    : intentRows(view.intent, kindCharged(view)).filter(({ isEmpty }) => isEmpty !== true);

/** What was paid and the facts about it; what is not known has no row. */
export function outcomeRows(view: BulkView, when: When): readonly SumRow[] {
  const rows: SumRow[] = linesOf(view).map(({ id, label, value }) => ({ id, label, value }));
  // Once it is paid, what is left of the invoice is what could be paid next.
  const left = when === 'fact.paidOn' ? view.intent?.partPayment?.most : undefined;
  if (left !== undefined) {
    const value = formatMoney(left, { currency: view.intent?.currency });
    rows.push({ id: 'stillDue', label: t('failed.stillToPay'), value });
  }
  if (view.outcome === undefined) return rows;
  const { method, at, reference } = view.outcome;
  if (method && when !== 'fact.triedOn') {
    // What is only on its way is not paid.
    const label = t(when === 'fact.sentOn' ? 'fact.method' : 'fact.paidWith');
    rows.push({ id: 'method', label, value: method });
  }
  if (at) rows.push({ id: 'when', label: t(when), value: t('fact.moment', formatMoment(at)) });
  const label = when === 'fact.triedOn' ? t('fact.supportReference') : t('fact.reference');
  if (reference) rows.push({ id: 'reference', label, value: reference });
  return rows;
}

/** What was, or is to be, charged; undefined while neither is known. */
export function amountOf({ intent, outcome }: BulkView): string | undefined {
  const amount = outcome?.amount ?? (intent === undefined ? undefined : totalWith(intent, undefined));
  return amount === undefined ? undefined : formatMoney(amount, { currency: intent?.currency });
}
