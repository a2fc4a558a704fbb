import type { PaymentInfo } from '@counterfoil/contract/paying/public-pay.ts';

/** What a link is paid with: the kind sets the fee. */
export type PayKind = 'card' | 'bank';

/** What is to be paid, as the page shows and sends it; decimal texts. */
export interface ShownPrice {
  readonly kind: PayKind;
  readonly amount: string;
  readonly fee: string;
  readonly total: string;
  /** Less than all that is due. */
  readonly isPart: boolean;
  /** What was typed is no amount that can be paid; the price is that of all that is due. */
  readonly isWrong: boolean;
}

/** The price of all that is due. */
export const wholePrice = (info: PaymentInfo, kind: PayKind = 'card'): ShownPrice => {
  const { fee, total } = (kind === 'bank' ? info.bank : undefined) ?? info;
  return { kind, amount: info.invoiceAmount, fee, total, isPart: false, isWrong: false };
};

/** What was shown, as the paying call names it: without fee where a part could be meant, and with the total beside it. */
export const amountSent = (
  { partPayment }: PaymentInfo,
  shown: ShownPrice,
): { readonly invoiceAmount: string; readonly total?: string; readonly due?: string } =>
  partPayment === null
    ? { invoiceAmount: shown.total }
    : { invoiceAmount: shown.amount, total: shown.total, due: partPayment.most };
