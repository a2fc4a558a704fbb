import { formatDay, parseDay } from '@counterfoil/domain/time/day.ts';
import { today } from '@counterfoil/domain/time/time-zone.ts';
import type { Brand } from '../../brand/service.ts';
import type { PaidInvoice, PaidMoney } from '../paid.ts';

/** What a receipt lists, in its order; amounts are minor units. */
export interface ReceiptLine {
  readonly label: string;
  readonly minor: bigint;
  readonly isTotal?: true;
}

/**
 * Every invoice, the fee, the credit that was used or is left, and what was paid; below it what was asked for, where
 * another amount was taken, and what was still due then.
 */
export function receiptLines(brand: Brand, payment: PaidMoney): ReceiptLine[] {
  const { invoiceLabelSingular: invoiceLabel } = brand.settings;
  const isCreditOnly = payment.amount_minor === 0n;
  const lines: ReceiptLine[] = [
    ...payment.invoices.map(({ number, minor }) => ({
      label: `${invoiceLabel} ${number}`,
      minor: BigInt(minor),
    })),
    { label: 'Fee', minor: payment.to_fee_minor },
    { label: 'Kept as your credit', minor: payment.to_credit_minor },
    { label: 'Credit used', minor: isCreditOnly ? 0n : -payment.credit_minor },
  ].filter((line) => line.minor !== 0n);
  const total = isCreditOnly ? payment.credit_minor : payment.amount_minor;
  const asked = payment.asked_minor ?? total;
  return [
    ...lines,
    { label: isCreditOnly ? 'Paid from credit' : 'Paid', minor: total, isTotal: true },
    ...(asked === total ? [] : [{ label: 'Asked for', minor: asked }]),
    ...stillDue(payment).map(({ number, minor }) => ({
      label: `Still to pay of ${invoiceLabel} ${number}`,
      minor,
    })),
  ];
}

/** The invoices of a payment of which something was still due when it was booked, minor units. */
export const stillDue = ({ invoices }: { readonly invoices: readonly PaidInvoice[] }) =>
  invoices
    .map(({ id, number, left }) => ({ id, number, minor: BigInt(left ?? '0') }))
    .filter(({ minor }) => minor > 0n);

/** The brand's day on which it was paid, as it is shown. */
export const paidOn = (brand: Brand, at: Date): string => formatDay(parseDay(today(brand.timeZone, at)));

/** Its name as a file. */
export const receiptFileName = ({ ref }: Pick<PaidMoney, 'ref'>): string => `Receipt_${ref}.pdf`;
