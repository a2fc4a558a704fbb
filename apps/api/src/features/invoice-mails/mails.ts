import { money } from '@counterfoil/domain/money/money.ts';
import { formatDay, parseDay } from '@counterfoil/domain/time/day.ts';
import type { AnyBrandMail } from '../../mail/compose.ts';
import { amountText, type Brand } from '../brand/service.ts';
import type { ToldInvoice } from './queries.ts';

/** What a mail says of an invoice, to whom, and where its button leads. */
export interface InvoiceNotice extends Omit<ToldInvoice, 'reseller_id'> {
  /** 'new', 'before:3', 'after:7' */
  readonly step: string;
  readonly to: string;
  readonly url: string;
}

/** The mail that tells of a new invoice, or reminds of one before or after its due date. */
export function invoiceMail(brand: Brand, notice: InvoiceNotice, messageId: string): AnyBrandMail {
  const { number: invoice, currency, step, to, url } = notice;
  const { invoiceLabelSingular: invoiceLabel } = brand.settings;
  const amount = amountText(brand, money(notice.due_minor, currency));
  const date = notice.due_on === null ? '' : formatDay(parseDay(notice.due_on));
  const facts = [
    { label: `${invoiceLabel} ${invoice}`, value: amount, isTotal: true },
    { label: 'Issued', value: formatDay(parseDay(notice.issued_on)) },
    ...(date === '' ? [] : [{ label: 'Due', value: date }]),
  ];
  const common = { brand, to, url, messageId, facts };
  if (step === 'new')
    return {
      ...common,
      kind: 'invoiceNew',
      values: { invoiceLabel, invoice, amount, how: howToPay(notice, amount, date) },
    };
  const values = { invoiceLabel, invoice, amount, date };
  return step.startsWith('before:')
    ? { ...common, kind: 'invoiceDueSoon', values }
    : { ...common, kind: 'invoiceOverdue', values };
}

/** What the customer has to do, in a sentence. */
function howToPay({ is_covered, is_in_hand }: InvoiceNotice, amount: string, date: string): string {
  if (is_covered) return 'It is paid by Auto-Pay with your payment method: there is nothing for you to do.';
  if (is_in_hand) return 'A payment of it is under way: there is nothing for you to do.';
  return date === '' ? `Please pay ${amount}.` : `Please pay ${amount} by ${date}.`;
}
