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

/** What the payer's bank shows: with the fee and the other invoices. */
function wholeOf({ amount, inAll, fee }: InvoicePayment, currency: string): string | null {
  if (inAll === amount) return null;
  const shown = { amount: formatMoney(inAll, { currency }), fee: formatMoney(fee, { currency }) };
  return t(fee === 0 ? 'payments.inAll' : 'payments.inAllWithFee', shown);
}

function PaymentWords({ payment, currency }: PaymentWordsProps) {
  const { date, method, reference, receiptOf } = payment;
  return (
    <>
      <span className={styles.paymentKind}>{t(`payments.${payment.kind}`)}</span>
      <span className={styles.paymentFacts}>
        {[formatDay(date), method, wholeOf(payment, currency), reference].filter(Boolean).join(' · ')}
      </span>
      {receiptOf !== null && (
        <ReceiptButton variant="quiet" size="small" payment={receiptOf} reference={reference} />
      )}
    </>
  );
}
