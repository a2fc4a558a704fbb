import type { Invoice } from '@counterfoil/contract/invoices.ts';
import type { ReactNode } from 'react';
import { Button, type ButtonLook, LinkButton } from '../../ui/button.tsx';
import { isBulkEnabled, useBulkPay } from '../bulk-pay/use-bulk-pay.ts';
import { usePortal } from '../portal/portal-context.ts';
import { payAddress } from './invoice-state.ts';

interface PayButtonProps extends Pick<ButtonLook, 'variant' | 'size'> {
  readonly invoice: Pick<Invoice, 'id'> & { readonly payToken: string };
  /** Id of what says which invoice it is. */
  readonly describedBy?: string;
  readonly children: ReactNode;
}

/** Pay of one invoice: with bulk pay it leads there with that invoice, else to its own pay page (decisions 6). */
export function PayButton({ invoice, describedBy, children, ...look }: PayButtonProps) {
  const portal = usePortal();
  const pay = useBulkPay();
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
