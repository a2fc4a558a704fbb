import { formatDay, parseDay } from '@counterfoil/domain/day.ts';
import { formatDecimal, money } from '@counterfoil/domain/money.ts';
import { howToStop } from '../../letters/auto-pay-slip.ts';
import type { AnyBrandMail } from '../../mail/compose.ts';
import { type Brand, symbolOf } from '../brand/service.ts';
import type { AutoPayMailPayload } from './mail-queue.ts';

/** Where the buttons of these mails lead. */
export interface MailLinks {
  /** The page of the saved methods; asks for a sign-in. */
  readonly methods: string;
  /** The pay page of the invoice; null when it has no link. */
  readonly pay: string | null;
}

const day = (text: string): string => formatDay(parseDay(text));

/** The mail of one piece of news. */
export function autoPayMail(
  brand: Brand,
  payload: AutoPayMailPayload,
  links: MailLinks,
  messageId: string,
): AnyBrandMail {
  const { news, currency, number: invoice, to } = payload;
  const amountOf = (minor: string) =>
    `${symbolOf(brand, currency)}${formatDecimal(money(BigInt(minor), currency))}`;
  const { invoiceLabelSingular: invoiceLabel } = brand.settings;
  const common = { invoiceLabel, invoice };
  const envelope = { brand, to, messageId };
  const payUrl = links.pay ?? links.methods;
  switch (news.mail) {
    case 'autoPayAhead': {
      const [amount, date] = [amountOf(news.total), day(news.chargeOn)];
      const hasFee = BigInt(news.fee) > 0n;
      const { credit = '0', most = news.total } = news;
      const hasCredit = BigInt(credit) > 0n;
      return {
        ...envelope,
        kind: news.mail,
        url: links.methods,
        values: { ...common, amount, date, method: news.method, stop: howToStop(news) },
        facts: [
          { label: `${invoiceLabel} ${invoice}`, value: amountOf(news.due) },
          ...(hasCredit ? [{ label: 'Your credit', value: amountOf(`-${credit}`) }] : []),
          ...(hasFee ? [{ label: 'Fee', value: amountOf(news.fee) }] : []),
          { label: 'To be charged', value: amount, isTotal: true },
          ...(hasCredit ? [{ label: 'At most, if your credit is used before', value: amountOf(most) }] : []),
          { label: 'Date', value: date },
          { label: 'Payment method', value: news.method },
        ],
      };
    }
    case 'autoPayNoMethod': {
      const [amount, date] = [amountOf(news.due), day(news.dueOn)];
      return {
        ...envelope,
        kind: news.mail,
        url: links.methods,
        values: { ...common, amount, date },
        facts: [
          { label: `${invoiceLabel} ${invoice}`, value: amount, isTotal: true },
          { label: 'Due', value: date },
        ],
      };
    }
    case 'autoPayDeclined': {
      const amount = amountOf(news.total);
      const next = news.isOtherNeeded
        ? 'We will not try it again with this payment method. Please choose another one, or pay with the button below.'
        : news.againOn === null
          ? 'We will not try it again. Please pay with the button below.'
          : `We will try again on ${day(news.againOn)}. You can choose another payment method before that, or pay with the button below.`;
      return {
        ...envelope,
        kind: news.mail,
        url: payUrl,
        values: { ...common, amount, method: news.method, why: news.why, next },
        facts: [
          { label: `${invoiceLabel} ${invoice}`, value: amount, isTotal: true },
          { label: 'Payment method', value: news.method },
        ],
      };
    }
    case 'autoPayPart': {
      const [amount, due] = [amountOf(news.taken), amountOf(news.due)];
      return {
        ...envelope,
        kind: news.mail,
        url: payUrl,
        values: { ...common, amount, due, method: news.method },
        facts: [
          { label: 'Paid', value: amount },
          { label: `Still to pay of ${invoiceLabel} ${invoice}`, value: due, isTotal: true },
          { label: 'Payment method', value: news.method },
        ],
      };
    }
    case 'autoPayConfirm': {
      const amount = amountOf(news.total);
      return {
        ...envelope,
        kind: news.mail,
        url: payUrl,
        values: { ...common, amount, method: news.method },
        facts: [
          { label: `${invoiceLabel} ${invoice}`, value: amount, isTotal: true },
          { label: 'Payment method', value: news.method },
        ],
      };
    }
  }
}
