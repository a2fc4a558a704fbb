import { type ReactNode, useId } from 'react';
import { readerLocale } from '../../../text/catalogue.ts';
import { t as common } from '../../../text/common.ts';
import { Button } from '../../../ui/fields/button.tsx';
import { Dialog } from '../../../ui/overlays/dialog.tsx';
import { VisuallyHidden } from '../../../ui/visually-hidden.tsx';
import { t } from '../messages.ts';
import styles from '../payment-methods.module.css';

interface SendDialogProps {
  readonly title: string;
  readonly formId: string;
  readonly busy: boolean;
  /** Names of the fields that are missing or wrong: while there are any, a press only says so. */
  readonly missing: readonly string[];
  /** Word of the button; default: the title. */
  readonly act?: string;
  readonly onClose: () => void;
  /** The form. */
  readonly children: ReactNode;
}

/** A modal around a form that adds something; while it is being added nothing closes it. */
export function SendDialog({
  title,
  formId,
  busy,
  missing,
  act = title,
  onClose,
  children,
}: SendDialogProps) {
  const reasonId = useId();
  const isBlocked = missing.length > 0;
  const fields = new Intl.ListFormat(readerLocale()).format(missing);
  return (
    <Dialog
      title={title}
      open
      onClose={onClose}
      locked={busy}
      actions={
        <>
          <Button onClick={onClose} disabled={busy}>
            {common('action.cancel')}
          </Button>
          <Button
            type="submit"
            form={formId}
            variant="primary"
            busy={busy}
            busyLabel={t('add.busy')}
            aria-disabled={isBlocked || undefined}
            aria-describedby={isBlocked ? reasonId : undefined}
          >
            {act}
          </Button>
        </>
      }
    >
      {children}
      {isBlocked && !busy && (
        <p className={styles.reason} id={reasonId}>
          {t('add.incomplete', { fields })}
        </p>
      )}
      <VisuallyHidden role="status">{busy ? t('add.busy') : ''}</VisuallyHidden>
    </Dialog>
  );
}
