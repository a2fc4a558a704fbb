import { money } from '@counterfoil/domain/money/money.ts';
import type { BrandMail } from '../../../mail/compose.ts';
import { amountText, type Brand } from '../../brand/service.ts';
import type { PaidMoney } from '../paid.ts';
import { paidOn, receiptLines } from './receipt-lines.ts';

/** The mail that says what was paid, when, for what, and what is still due. @param payment `url`: where that is paid */
export function receiptMail(
  brand: Brand,
  payment: PaidMoney & { readonly to: string; readonly url?: string },
  messageId: string,
): BrandMail<'receipt'> {
  const amount = (minor: bigint) => amountText(brand, money(minor, payment.currency));
  const { invoiceLabelSingular: invoiceLabel } = brand.settings;
  const lines = receiptLines(brand, payment);
  const date = paidOn(brand, payment.at);
  return {
    kind: 'receipt',
    brand,
    to: payment.to,
    messageId,
    ...(payment.url === undefined ? {} : { url: payment.url }),
    values: {
      amount: amount(lines.find(({ isTotal }) => isTotal)?.minor ?? 0n),
      date,
      reference: payment.ref,
      invoiceLabel,
      invoices: payment.invoices.map((invoice) => invoice.number).join(', '),
    },
    facts: [
      ...lines.map(({ label, minor, isTotal }) => ({
        label,
        value: amount(minor),
        ...(isTotal === true ? { isTotal } : {}),
      })),
      { label: 'Date', value: date },
      ...(payment.method === null ? [] : [{ label: 'Payment method', value: payment.method }]),
      { label: 'Reference', value: payment.ref },
    ],
  };
}
