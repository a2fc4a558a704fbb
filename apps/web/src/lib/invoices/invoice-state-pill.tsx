import type { Invoice } from '@counterfoil/contract/invoices.ts';
import { StatusPill } from '../../ui/status-pill.tsx';
import { pillOf } from './invoice-state.ts';

/** The state of an invoice in an icon and a word; nothing where Pay beside it says as much. */
export function InvoiceStatePill({ invoice }: { readonly invoice: Invoice }) {
  const pill = pillOf(invoice);
  if (!pill) return null;
  return (
    <StatusPill tone={pill.tone} icon={pill.icon}>
      {pill.text}
    </StatusPill>
  );
}
