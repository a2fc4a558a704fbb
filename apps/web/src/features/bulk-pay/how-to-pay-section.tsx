import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { usePortal } from '../../lib/portal/portal-context.ts';
import { OtherWayHere } from '../../paying/otherwise/other-way.tsx';
import { t as words } from '../../paying/otherwise/pay-otherwise-messages.ts';
import { invoiceQueries } from '../../shared/invoices/invoice-queries.ts';
import { sumOf } from '../../shared/invoices/invoice-sums.ts';
import { formatMoney } from '../../text/format.ts';
import styles from './bulk-pay.module.css';

/** In place of the checkout, where the gateway takes no payment: how the chosen invoices are paid otherwise. */
export function HowToPaySection({ ids }: { readonly ids: readonly string[] }) {
  const id = useId();
  const { paused } = usePortal().settings.payments;
  const { data: invoices = [] } = useQuery(invoiceQueries.chosen(ids));
  const currency = invoices[0]?.currency;
  const amount =
    currency === undefined
      ? undefined
      : formatMoney(
          sumOf(invoices, currency, ({ amountDue }) => amountDue),
          { currency },
        );
  return (
    <section className={styles.tile} aria-labelledby={id}>
      <h2 id={id} className={styles.head}>
        {words('title')}
      </h2>
      <div className={styles.none}>
        <p>{words(paused ? 'paused' : 'unavailable')}</p>
        <OtherWayHere numbers={invoices.map(({ number }) => number)} amount={amount} />
      </div>
    </section>
  );
}
