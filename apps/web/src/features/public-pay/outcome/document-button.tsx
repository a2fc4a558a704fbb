import { type ReactNode, useRef, useState } from 'react';
import { Button, type ButtonLook } from '../../../ui/fields/button.tsx';
import { t } from '../messages.ts';
import styles from '../pay.module.css';

interface DocumentButtonProps extends Pick<ButtonLook, 'variant' | 'size' | 'wide'> {
  /** Of the call that answers it. */
  readonly path: string;
  /** The file's, where the answer names none. */
  readonly name: string;
  readonly children: ReactNode;
}

/** Saves a document of the link. The code that fetches it is loaded when it is pressed. */
export function DocumentButton({ path, name, children, ...look }: DocumentButtonProps) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const running = useRef(false);
  const save = async () => {
    if (running.current) return;
    running.current = true;
    setBusy(true);
    setProblem(undefined);
    const found = await import('./save-document.ts').then(
      ({ saveDocument }) => saveDocument(path, name),
      () => '',
    );
    setProblem(found);
    setBusy(false);
    running.current = false;
  };
  return (
    <div className={styles.document}>
      <Button {...look} busy={busy} busyLabel={t('document.busy')} onClick={save}>
        {children}
      </Button>
      {problem !== undefined && (
        <p className={styles.wrong} role="alert">
          {t('document.failed')} {problem}
        </p>
      )}
    </div>
  );
}

/** The invoice of a link as a file. */
export const invoiceDocument = ({
  uid,
  InvoiceNumber,
}: {
  readonly uid: string;
  readonly InvoiceNumber: string;
}) => ({
  path: `/v1/ec/payment/invoice/${encodeURIComponent(uid)}`,
  name: `invoice_${InvoiceNumber}.pdf`,
});
