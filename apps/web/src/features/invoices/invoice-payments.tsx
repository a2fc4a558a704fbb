import type { InvoiceDetail, InvoicePayment } from '@counterfoil/contract/invoices.ts';
import { useId } from 'react';
import { ReceiptButton } from '../../paying/outcome/receipt-button.tsx';
import { formatDay, formatMoney } from '../../text/format.ts';
import { SumRows } from '../../ui/data/sum-rows.tsx';
import styles from './invoices.module.css';
import { t } from './messages.ts';

/** Kinds by which money left the provider again. */
const away: ReadonlySet<InvoicePayment['kind']> = new Set(['returned', 'refund']);

/** What was paid through the portal, and what came back of it, each with its day, method and reference. */
export function InvoicePayments({ invoice }: { readonly invoice: InvoiceDetail }) {
  const id = useId();
  const { payments, currency } = invoice;
  if (payments.length === 0) return null;
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{t('payments.title')}</h2>
      <SumRows
        look="ruled"
        rows={payments.map((payment, at) => ({
          id: `${payment.reference}-${at}`,
          label: <PaymentWords payment={payment} currency={currency} />,
          value: formatMoney(away.has(payment.kind) ? -payment.amount : payment.amount, { currency }),
        }))}
      />
    </section>
  );
}

interface PaymentWordsProps {
  readonly payment: InvoicePayment;
  readonly currency: string;
}

function PaymentWords({ payment, currency }: PaymentWordsProps) {
  const { kind, date, method, reference, receiptOf, amount, inAll } = payment;
  // What the payer's bank shows is with the fee and the other invoices.
  const whole = inAll === amount ? null : t('payments.inAll', { amount: formatMoney(inAll, { currency }) });
  return (
    <>
      <span className={styles.paymentKind}>{t(`payments.${kind}`)}</span>
      <span className={styles.paymentFacts}>
        {[formatDay(date), method, whole, reference].filter(Boolean).join(' · ')}
      </span>
      {receiptOf !== null && (
        <ReceiptButton variant="quiet" size="small" payment={receiptOf} reference={reference} />
      )}
    </>
  );
}
