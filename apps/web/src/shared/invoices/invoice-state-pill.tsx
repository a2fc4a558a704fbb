import type { Invoice } from '@counterfoil/contract/invoices.ts';
import { StatusPill } from '../../ui/data/status-pill.tsx';
import { pillOf, statePill } from './invoice-state.ts';

interface InvoiceStatePillProps {
  readonly invoice: Invoice;
  /** No Pay stands beside it, so that it says 'Open' too. */
  readonly always?: boolean;
}

/** The state of an invoice in an icon and a word; nothing where Pay beside it says as much. */
export function InvoiceStatePill({ invoice, always = false }: InvoiceStatePillProps) {
  const pill = always ? statePill(invoice) : pillOf(invoice);
  if (!pill) return null;
  return (
    <StatusPill tone={pill.tone} icon={pill.icon}>
      {pill.text}
    </StatusPill>
  );
}
