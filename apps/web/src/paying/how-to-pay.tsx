import type { Invoice } from '@counterfoil/contract/invoices.ts';
import { useState } from 'react';
import { usePortal } from '../lib/portal/portal-context.ts';
import { sumOf } from '../shared/invoices/invoice-sums.ts';
import { t as common } from '../text/common.ts';
import { formatMoney } from '../text/format.ts';
import { Button, type ButtonLook } from '../ui/fields/button.tsx';
import { Dialog } from '../ui/overlays/dialog.tsx';
import { OtherWayHere } from './otherwise/other-way.tsx';
import { t } from './otherwise/pay-otherwise-messages.ts';

interface HowToPayProps extends Pick<ButtonLook, 'variant' | 'size'> {
  /** Of one currency. */
  readonly invoices: readonly Pick<Invoice, 'number' | 'amountDue' | 'currency'>[];
  /** What all of it comes to; by itself the sum of these. */
  readonly due?: { readonly amount: string; readonly currency: string } | undefined;
  /** Id of what says which invoice it is. */
  readonly describedBy?: string | undefined;
}

/** In place of Pay where no payment can be made here: shows how to pay these invoices otherwise. */
export function HowToPay({ invoices, due, describedBy, ...look }: HowToPayProps) {
  const { paused } = usePortal().settings.payments;
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  const currency = due?.currency ?? invoices[0]?.currency ?? '';
  const amount = due?.amount ?? sumOf(invoices, currency, ({ amountDue }) => amountDue);
  return (
    <>
      <Button {...look} aria-describedby={describedBy} onClick={() => setOpen(true)}>
        {t('open')}
      </Button>
      {isOpen && (
        <Dialog
          title={t('title')}
          open
          onClose={close}
          actions={<Button onClick={close}>{common('action.close')}</Button>}
        >
          <p>{t(paused ? 'paused' : 'unavailable')}</p>
          <OtherWayHere
            numbers={invoices.map(({ number }) => number)}
            amount={formatMoney(amount, { currency })}
          />
        </Dialog>
      )}
    </>
  );
}
