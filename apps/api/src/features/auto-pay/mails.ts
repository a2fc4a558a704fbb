import { money } from '@counterfoil/domain/money/money.ts';
import { formatDay, parseDay } from '@counterfoil/domain/time/day.ts';
import { howToStop } from '../../letters/auto-pay-slip.ts';
import type { AnyBrandMail } from '../../mail/compose.ts';
import { amountText, type Brand } from '../brand/service.ts';

/** What a mail says, as it was decided; amounts are minor units of the invoice's currency. */
export type AutoPayNotice =
  | {
      readonly mail: 'autoPayAhead';
      readonly chargeOn: string;
      readonly due: string;
      /** Credit of the customer that will be used first; absent in mails that were promised before it was said. */
      readonly credit?: string;
      readonly fee: string;
      /** What will be charged, and what at most where that credit is used otherwise before. */
      readonly total: string;
      readonly most?: string;
      readonly method: string;
      readonly asksNobody: boolean;
    }
  | { readonly mail: 'autoPayNoMethod'; readonly dueOn: string; readonly due: string }
  | {
      readonly mail: 'autoPayDeclined';
      readonly total: string;
      readonly method: string;
      readonly why: string;
      /** The day of the next try; null: there is none. */
      readonly againOn: string | null;
      /** Only another method helps. */
      readonly isOtherNeeded: boolean;
    }
  | { readonly mail: 'autoPayConfirm'; readonly total: string; readonly method: string }
  /** Less was taken than was charged; `due`: what is still to be paid. */
  | {
      readonly mail: 'autoPayPart';
      readonly taken: string;
      readonly due: string;
      readonly method: string;
    };

/** What the outbox row holds beside what is said. */
export interface AutoPayMailPayload {
  readonly to: string;
  readonly resellerId: number;
  readonly invoiceId: string;
  readonly number: string;
  readonly currency: string;
  /** The stored name; rows that were promised by earlier versions have it. */
  readonly news: AutoPayNotice;
}

/** Where the buttons of these mails lead. */
export interface MailLinks {
  /** The page of the saved methods; asks for a sign-in. */
  readonly methods: string;
  /** The pay page of the invoice; null when it has no link. */
  readonly pay: string | null;
}

const day = (text: string): string => formatDay(parseDay(text));

/** The mail of one notice. */
export function autoPayMail(
  brand: Brand,
  payload: AutoPayMailPayload,
  links: MailLinks,
  messageId: string,
): AnyBrandMail {
  const { news: notice, currency, number: invoice, to } = payload;
  const amountOf = (minor: string) => amountText(brand, money(BigInt(minor), currency));
  const { invoiceLabelSingular: invoiceLabel } = brand.settings;
  const common = { invoiceLabel, invoice };
  const envelope = { brand, to, messageId };
  const payUrl = links.pay ?? links.methods;
  switch (notice.mail) {
    case 'autoPayAhead': {
      const [amount, date] = [amountOf(notice.total), day(notice.chargeOn)];
      const hasFee = BigInt(notice.fee) > 0n;
      const { credit = '0', most = notice.total } = notice;
      const hasCredit = BigInt(credit) > 0n;
      return {
        ...envelope,
        kind: notice.mail,
        url: links.methods,
        values: { ...common, amount, date, method: notice.method, stop: howToStop(notice) },
        facts: [
          { label: `${invoiceLabel} ${invoice}`, value: amountOf(notice.due) },
          ...(hasCredit ? [{ label: 'Your credit', value: amountOf(`-${credit}`) }] : []),
          ...(hasFee ? [{ label: 'Fee', value: amountOf(notice.fee) }] : []),
          { label: 'To be charged', value: amount, isTotal: true },
          ...(hasCredit ? [{ label: 'At most, if your credit is used before', value: amountOf(most) }] : []),
          { label: 'Date', value: date },
          { label: 'Payment method', value: notice.method },
        ],
      };
    }
    case 'autoPayNoMethod': {
      const [amount, date] = [amountOf(notice.due), day(notice.dueOn)];
      return {
        ...envelope,
        kind: notice.mail,
        url: links.methods,
        values: { ...common, amount, date },
        facts: [
          { label: `${invoiceLabel} ${invoice}`, value: amount, isTotal: true },
          { label: 'Due', value: date },
        ],
      };
    }
    case 'autoPayDeclined': {
      const amount = amountOf(notice.total);
      const next = notice.isOtherNeeded
        ? 'We will not try it again with this payment method. Please choose another one, or pay with the button below.'
        : notice.againOn === null
          ? 'We will not try it again. Please pay with the button below.'
          : `We will try again on ${day(notice.againOn)}. You can choose another payment method before that, or pay with the button below.`;
      return {
        ...envelope,
        kind: notice.mail,
        url: payUrl,
        values: { ...common, amount, method: notice.method, why: notice.why, next },
        facts: [
          { label: `${invoiceLabel} ${invoice}`, value: amount, isTotal: true },
          { label: 'Payment method', value: notice.method },
        ],
      };
    }
    case 'autoPayPart': {
      const [amount, due] = [amountOf(notice.taken), amountOf(notice.due)];
      return {
        ...envelope,
        kind: notice.mail,
        url: payUrl,
        values: { ...common, amount, due, method: notice.method },
        facts: [
          { label: 'Paid', value: amount },
          { label: `Still to pay of ${invoiceLabel} ${invoice}`, value: due, isTotal: true },
          { label: 'Payment method', value: notice.method },
        ],
      };
    }
    case 'autoPayConfirm': {
      const amount = amountOf(notice.total);
      return {
        ...envelope,
        kind: notice.mail,
        url: payUrl,
        values: { ...common, amount, method: notice.method },
        facts: [
          { label: `${invoiceLabel} ${invoice}`, value: amount, isTotal: true },
          { label: 'Payment method', value: notice.method },
        ],
      };
    }
  }
}
