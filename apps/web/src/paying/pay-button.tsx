import type { Invoice } from '@counterfoil/contract/invoices.ts';
import type { ReactNode } from 'react';
import { usePortal } from '../lib/portal/portal-context.ts';
import { isDue, offersPay, payAddress } from '../shared/invoices/invoice-state.ts';
import { Button, type ButtonLook, LinkButton } from '../ui/fields/button.tsx';
import { isBulkEnabled, useBulkPay } from './bulk/use-bulk-pay.ts';
import { HowToPay } from './how-to-pay.tsx';
import { takesPayments } from './otherwise/other-way.tsx';

interface PayButtonProps extends Pick<ButtonLook, 'variant' | 'size'> {
  readonly invoice: Invoice;
  /** Id of what says which invoice it is. */
  readonly describedBy?: string;
  readonly children: ReactNode;
}

/**
 * Pay of one invoice: with bulk pay it leads there with that invoice, else to its own pay page (decisions 6). Where no
 * payment can be made, how to pay what is due otherwise. Nothing for what is not to be paid.
 */
export function PayButton({ invoice, describedBy, children, ...look }: PayButtonProps) {
  const portal = usePortal();
  const pay = useBulkPay();
  if (!takesPayments(portal))
    return isDue(invoice) && <HowToPay {...look} invoices={[invoice]} describedBy={describedBy} />;
  if (!offersPay(invoice)) return null;
  return isBulkEnabled(portal) ? (
    <Button {...look} aria-describedby={describedBy} onClick={() => pay([invoice.id])}>
      {children}
    </Button>
  ) : (
    <LinkButton {...look} href={payAddress(invoice)} aria-describedby={describedBy}>
      {children}
    </LinkButton>
  );
}
