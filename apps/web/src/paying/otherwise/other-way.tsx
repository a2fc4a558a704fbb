import { type Portal, usePortal } from '../../lib/portal/portal-context.ts';
import { type OtherWay, PayOtherwise } from './pay-otherwise.tsx';

/** Whether a payment can be begun here at all; where it cannot, nothing offers one. */
export const takesPayments = ({ settings: { payments } }: Pick<Portal, 'settings'>): boolean =>
  payments.unavailable !== true;

/** How the brand of the current customer is paid without its gateway. */
export function OtherWayHere(what: Pick<OtherWay, 'numbers' | 'amount'>) {
  const { brand, settings } = usePortal();
  return (
    <PayOtherwise
      {...what}
      company={settings.companyName}
      bankDetails={settings.payments.bankDetails}
      instructions={settings.payments.paymentInstructions}
      email={brand.supportEmail}
      phone={brand.supportPhone}
    />
  );
}
