import { BulkStatus } from '@counterfoil/domain/paying/bulk-pay.ts';
import { formatMoney } from '../../text/format.ts';
import type { SumRow } from '../../ui/data/sum-rows.tsx';
import { factRows, type When } from '../fact-rows.ts';
import { t as shared } from '../outcome/outcome-messages.ts';
import type { BulkView } from './bulk-payment.ts';
import { type IntentRow, intentRows, invoiceLines, type MethodKind, totalWith } from './intent-rows.ts';
import { t } from './messages.ts';

/** The kind of method whose total is what was charged. */
function kindCharged({ info: intent, outcome }: BulkView): MethodKind | undefined {
  const amount = outcome?.amount;
  if (intent === undefined || amount === undefined) return undefined;
  return (['card', 'bank'] as const).find((kind) => Number(totalWith(intent, kind)) === Number(amount));
}

/**
 * Invoices, the fee that was taken and adjustments. What was asked for is not what was paid: of a payment that went
 * through there are none until the server says them, or where another amount was taken.
 */
function linesOf(view: BulkView, when: When): readonly IntentRow[] {
  const { info: intent, outcome } = view;
  if (intent === undefined) return [];
  const isSaid = intent.status === BulkStatus.PAID || outcome?.asked === undefined;
  if (when === 'fact.paidOn' && !isSaid) return [];
  return intentRows(intent, kindCharged(view)).filter(({ isEmpty }) => isEmpty !== true);
}

/** What is still to be paid, and what is the customer's credit now, once it is paid. */
function afterwards({ info: intent }: BulkView): readonly SumRow[] {
  if (intent === undefined) return [];
  const money = (amount: number) => formatMoney(amount, { currency: intent.currency });
  const lines = invoiceLines(intent);
  const kept = intent.attempt?.keptAsCredit;
  return [
    ...(kept ? [{ id: 'kept', label: t('fact.kept'), value: money(kept) }] : []),
    ...lines.flatMap(({ invoiceId, invoiceNumber, stillDue }) =>
      stillDue
        ? [
            {
              id: lines.length === 1 ? 'stillDue' : `stillDue-${invoiceId}`,
              label:
                lines.length === 1
                  ? shared('failed.stillToPay')
                  : t('fact.stillToPay', { number: invoiceNumber }),
              value: money(stillDue),
              isItem: true,
            },
          ]
        : [],
    ),
  ];
}

/** What was paid and the facts about it; what is not known has no row. */
export function outcomeRows(view: BulkView, when: When): readonly SumRow[] {
  const rows: SumRow[] = linesOf(view, when).map(({ isEmpty: _, ...row }) => row);
  if (when === 'fact.paidOn') rows.push(...afterwards(view));
  // What a failed payment was tried with stands beside that nothing was charged to it.
  const facts = factRows(view.outcome, when).filter(({ id }) => id !== 'method' || when !== 'fact.triedOn');
  return [...rows, ...facts];
}

/** What was, or is to be, charged; undefined while neither is known. */
export function amountOf({ info: intent, outcome }: BulkView): string | undefined {
  const amount = outcome?.amount ?? (intent === undefined ? undefined : totalWith(intent, undefined));
  return amount === undefined ? undefined : formatMoney(amount, { currency: intent?.currency });
}
