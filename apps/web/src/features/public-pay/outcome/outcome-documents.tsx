import type { PaymentInfo } from '@counterfoil/contract/paying/public-pay.ts';
import type { Outcome } from '../../../paying/view.ts';
import { Icon } from '../../../ui/icon.tsx';
import { t as page } from '../messages.ts';
import styles from '../pay.module.css';
import { DocumentButton, invoiceDocument } from './document-button.tsx';
import { t } from './outcome-messages.ts';

interface DocumentsProps {
  readonly info: PaymentInfo | undefined;
  /** The payment whose receipt can be had, if it has one. */
  readonly paid?: Outcome | undefined;
  readonly label: string;
}

/** What can be kept: the receipt of what was paid, and the invoice. */
export function Documents({ info, paid, label }: DocumentsProps) {
  if (info === undefined) return null;
  const { attemptId, reference } = paid ?? {};
  return (
    <div className={styles.documents}>
      {paid?.hasReceipt && attemptId !== undefined && (
        <DocumentButton
          wide
          path={`/v1/ec/payment/receipt/${encodeURIComponent(info.uid)}/${attemptId}`}
          name={`Receipt_${reference ?? ''}.pdf`}
        >
          <Icon name="download" />
          {t('document.receipt')}
        </DocumentButton>
      )}
      <DocumentButton wide {...invoiceDocument(info)}>
        <Icon name="file" />
        {page('document.invoice', { label })}
      </DocumentButton>
    </div>
  );
}
