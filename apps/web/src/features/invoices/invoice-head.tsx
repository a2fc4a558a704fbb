import type { InvoiceDetail } from '@counterfoil/contract/invoices.ts';
import { daysBetween, isDay } from '@counterfoil/domain/time/day.ts';
import { today } from '@counterfoil/domain/time/time-zone.ts';
import { usePortal } from '../../lib/portal/portal-context.ts';
import { takesPayments } from '../../paying/otherwise/other-way.tsx';
import { PayButton } from '../../paying/pay-button.tsx';
import { isCredit, isOwed, isPayable, signedAmount } from '../../shared/invoices/invoice-state.ts';
import { InvoiceStatePill } from '../../shared/invoices/invoice-state-pill.tsx';
import { readerLocale } from '../../text/catalogue.ts';
import { formatDay, formatMoney } from '../../text/format.ts';
import { StatusPill } from '../../ui/data/status-pill.tsx';
import { AmountBlock } from '../../ui/layout/amount-block.tsx';
import styles from './invoices.module.css';
import { t } from './messages.ts';
import { PayLinkButton } from './pay-link-button.tsx';
import { PdfButton } from './pdf-button.tsx';

/** 'in 14 days', 'tomorrow', '3 days ago', in the reader's language. */
export function dayDistance(day: string, timeZone: string, now: Date): string {
  if (!isDay(day)) return '';
  const days = daysBetween(today(timeZone, now), day);
  return new Intl.RelativeTimeFormat(readerLocale(), { numeric: 'auto' }).format(days, 'day');
}

interface ExplanationProps {
  readonly invoice: InvoiceDetail;
  readonly company: string;
}

/** Why it cannot be paid, or has to be paid again: what a pill alone leaves open. */
function Explanation({ invoice, company }: ExplanationProps) {
  const text = explanation(invoice, company);
  return text && <p className={styles.explain}>{text}</p>;
}

function explanation({ state, payments, amountDue }: InvoiceDetail, company: string): string | undefined {
  if (state === 'beingConfirmed') return t('detail.confirming');
  if (state === 'disputed') return t('detail.disputed', { company });
  const last = payments.findLast(
    ({ kind }) => kind === 'returned' || kind === 'payment' || kind === 'restored',
  );
  if (last?.kind !== 'returned' || amountDue <= 0) return undefined;
  return t('detail.returned', { day: formatDay(last.date) });
}

/** What is owed, by when, and the one thing to do about it. */
export function InvoiceHead({ invoice }: { readonly invoice: InvoiceDetail }) {
  const portal = usePortal();
  const { brand, settings } = portal;
  const { currency, dateDue } = invoice;
  const credit = isCredit(invoice);
  const isOverdue = invoice.state === 'overdue' && !credit;
  const amount = credit ? signedAmount(invoice) : invoice.amountDue;
  return (
    <AmountBlock
      as="h2"
      label={credit ? t('detail.credit') : t('detail.amountDue')}
      amount={formatMoney(amount, { currency })}
      facts={
        <>
          {isOwed(invoice) && invoice.state !== 'overdue' && (
            <span>
              {dateDue === null
                ? t('detail.noDue')
                : t('detail.due', {
                    day: formatDay(dateDue),
                    when: dayDistance(dateDue, brand.timeZone, new Date()),
                  })}
            </span>
          )}
          {isOverdue && (
            <StatusPill tone="danger" icon="alert">
              {t('detail.overdue', { day: formatDay(dateDue) })}
            </StatusPill>
          )}
          {(!isOverdue || invoice.waitsForPayer) && <InvoiceStatePill invoice={invoice} />}
          <Explanation invoice={invoice} company={settings.companyName} />
        </>
      }
      actions={
        <>
          {isPayable(invoice) && takesPayments(portal) && <PayLinkButton invoice={invoice} />}
          <PdfButton invoice={invoice} />
          <PayButton variant="primary" invoice={invoice}>
            {t('pay')}
          </PayButton>
        </>
      }
    />
  );
}
