import type { Invoice } from '@counterfoil/contract/invoices.ts';
import { Link } from '@tanstack/react-router';
import { usePortal } from '../../lib/portal/portal-context.ts';
import styles from './dashboard.module.css';

/** Opens an invoice by its number; the number alone where the brand shows no invoices. */
export function InvoiceLink({
  invoice: { id, number },
}: {
  readonly invoice: Pick<Invoice, 'id' | 'number'>;
}) {
  const { brand } = usePortal();
  const title = number.length > 26 ? number : undefined;
  return brand.endShowInvoices ? (
    <Link to={`/invoices/${id}`} className={styles.number} title={title}>
      {number}
    </Link>
  ) : (
    <span className={styles.number} title={title}>
      {number}
    </span>
  );
}
