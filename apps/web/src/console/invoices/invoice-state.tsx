import type { AdminInvoice } from '@counterfoil/contract/operator/billing/admin-invoices.ts';
import { StatusPill } from '../../ui/data/status-pill.tsx';
import type { IconName } from '../../ui/icon.tsx';
import { isOverdue } from '../customers/due.ts';
import { t } from './messages.ts';

type Shown = AdminInvoice['status'] | 'overdue';

const looks: Readonly<Record<Shown, readonly ['success' | 'danger' | 'warning' | 'neutral', IconName]>> = {
  open: ['neutral', 'clock'],
  overdue: ['danger', 'alert'],
  paid: ['success', 'check'],
  credited: ['success', 'check'],
  void: ['neutral', 'minus'],
  disputed: ['warning', 'alert'],
};

/** Where an invoice stands, in an icon and words. */
export function InvoiceState({ invoice }: { readonly invoice: Pick<AdminInvoice, 'status' | 'dueOn'> }) {
  const today = new Date().toISOString().slice(0, 10);
  const shown = invoice.status === 'open' && isOverdue(invoice, today) ? 'overdue' : invoice.status;
  const [tone, icon] = looks[shown];
  return (
    <StatusPill tone={tone} icon={icon}>
      {t(`state.${shown}`)}
    </StatusPill>
  );
}
