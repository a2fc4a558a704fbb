import type { PaymentIntent } from '@counterfoil/contract/paying/bulk-pay.ts';
import { type ReactNode, useId } from 'react';
import { type IntentRow, intentRows, type MethodKind, totalWith } from '../../paying/bulk/intent-rows.ts';
import { formatMoney } from '../../text/format.ts';
import { classNames } from '../../ui/class-names.ts';
import { BigAmount } from '../../ui/layout/big-amount.tsx';
import { ScrollBox } from '../../ui/layout/scroll-box.tsx';
import styles from './bulk-pay.module.css';
import { t } from './messages.ts';

interface PaymentSummaryProps {
  readonly intent: PaymentIntent;
  /** Of the chosen method. */
  readonly kind: MethodKind | undefined;
  /** Of another amount, beside the total. */
  readonly choice?: ReactNode;
  /** The button and the words under it. */
  readonly children: ReactNode;
}

/** More invoices than this scroll in their own box, so that what is added, the total and the button stay in sight. */
const INVOICES_AT_ONCE = 10;

const Rows = ({ rows }: { readonly rows: readonly IntentRow[] }) => (
  <dl className={styles.rows}>
    {rows.map(({ id, label, value, isEmpty }) => (
      // A fee that comes with the choice of a method moves nothing: its line is there already.
      <div key={id} className={classNames(isEmpty && styles.kept)} aria-hidden={isEmpty}>
        <dt>{label}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);

/** Total, to whom, and what it is made of: invoices, the fee of the chosen kind, adjustments. */
export function PaymentSummary({ intent, kind, choice, children }: PaymentSummaryProps) {
  const id = useId();
  const total = formatMoney(totalWith(intent, kind), { currency: intent.currency });
  const rows = intentRows(intent, kind);
  const invoices = rows.filter(({ isItem }) => isItem);
  const added = rows.filter(({ isItem }) => !isItem);
  return (
    <section className={classNames(styles.tile, styles.summary)} aria-labelledby={id}>
      <h2 id={id} className={styles.head}>
        {t('summary.title')}
      </h2>
      <div className={styles.body}>
        <BigAmount>{total}</BigAmount>
        <p className={styles.muted}>{t('summary.to', { company: intent.companyName })}</p>
        {choice}
        {invoices.length > INVOICES_AT_ONCE ? (
          <>
            <div className={styles.invoices}>
              <ScrollBox label={t('summary.lines')}>
                <Rows rows={invoices} />
              </ScrollBox>
            </div>
            {added.length > 0 && <Rows rows={added} />}
          </>
        ) : (
          <Rows rows={rows} />
        )}
        <dl className={classNames(styles.rows, styles.total)}>
          <div>
            <dt>{t('summary.total')}</dt>
            <dd>{total}</dd>
          </div>
        </dl>
        {children}
      </div>
    </section>
  );
}
