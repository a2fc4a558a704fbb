import { money } from '@counterfoil/domain/money/money.ts';
import { formatDay, parseDay } from '@counterfoil/domain/time/day.ts';
import type { BrandMail } from '../../mail/compose.ts';
import { amountText, type Brand } from '../brand/service.ts';

/** The invoice that a link opens, and where it leads; minor units. */
export interface PayLinkNotice {
  readonly to: string;
  readonly number: string;
  readonly currency: string;
  readonly dueMinor: bigint;
  readonly dueOn: string | null;
  readonly url: string;
  readonly messageId: string;
}

/** The mail with a new link in the place of one that has expired. */
export function payLinkMail(brand: Brand, notice: PayLinkNotice): BrandMail<'payLink'> {
  const { to, number: invoice, currency, dueMinor, dueOn, url, messageId } = notice;
  const { invoiceLabelSingular: invoiceLabel } = brand.settings;
  const amount = amountText(brand, money(dueMinor, currency));
  const date = dueOn === null ? '-' : formatDay(parseDay(dueOn));
  return {
    kind: 'payLink',
    brand,
    to,
    url,
    messageId,
    values: { invoiceLabel, invoice, amount, date },
    facts: [
      { label: `${invoiceLabel} ${invoice}`, value: amount, isTotal: true },
      ...(dueOn === null ? [] : [{ label: 'Due', value: date }]),
    ],
  };
}
