import type { Invoice } from '@counterfoil/contract/invoices.ts';
import { StatusPill } from '../../ui/data/status-pill.tsx';
import { pillOf, statePill } from './invoice-state.ts';

interface InvoiceStatePillProps {
  readonly invoice: Invoice;
  /** No Pay stands beside it, so that it says 'Open' too. */
  readonly always?: boolean;
}

/** The state of an invoice in an icon and a word; on paper alone where Pay beside it says as much. */
export function InvoiceStatePill({ invoice, always = false }: InvoiceStatePillProps) {
  const { tone, icon, text } = statePill(invoice);
  return (
    <StatusPill tone={tone} icon={icon} onPaper={!always && pillOf(invoice) === undefined}>
      {text}
    </StatusPill>
  );
}
