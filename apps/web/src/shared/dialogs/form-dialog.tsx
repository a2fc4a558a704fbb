import { type ReactNode, useId, useState } from 'react';
import { ApiError } from '../../lib/api/api-error.ts';
import { useSubmit } from '../../lib/use-submit.ts';
import { t } from '../../text/common.ts';
import { Button } from '../../ui/fields/button.tsx';
import { ErrorSummary } from '../../ui/fields/error-summary.tsx';
import form from '../../ui/fields/form.module.css';
import { Dialog } from '../../ui/overlays/dialog.tsx';

interface FormDialogProps {
  readonly title: string;
  /** The fields. */
  readonly children: ReactNode;
  /** Word of the button that closes it without saving. */
  readonly discard: string;
  readonly act: string;
  readonly busyAct: string;
  /** What is typed cannot be sent; the fields say why. */
  readonly disabled?: boolean;
  /** Does it. Closing after success is the caller's; a failure keeps the dialog and what was typed. */
  readonly onSubmit: () => Promise<void>;
  readonly onClose: () => void;
}

/** A form in a modal: Enter sends it, Escape discards it, and a failure is told inside, above the fields. */
export function FormDialog(props: FormDialogProps) {
  const { title, children, discard, act, busyAct, disabled, onSubmit, onClose } = props;
  const id = useId();
  const [failures, setFailures] = useState({ count: 0, isServers: false });
  const submit = useSubmit(async () => {
    try {
      await onSubmit();
    } catch (error) {
      // The page's banner is under the dialog, out of reach: its sentence stands here too.
      const isServers = !(error instanceof ApiError) || error.status < 400 || error.status >= 500;
      setFailures(({ count }) => ({ count: count + 1, isServers }));
      throw error;
    }
  });
  const problems = failures.isServers && !submit.busy ? [{ text: t('error.banner') }] : submit.problems;
  return (
    <Dialog
      title={title}
      open
      onClose={onClose}
      locked={submit.busy}
      actions={
        <>
          <Button onClick={onClose} disabled={submit.busy}>
            {discard}
          </Button>
          <Button
            type="submit"
            form={id}
            variant="primary"
            disabled={disabled}
            busy={submit.busy}
            busyLabel={busyAct}
          >
            {act}
          </Button>
        </>
      }
    >
      <ErrorSummary problems={problems} attempt={failures.count} />
      <form id={id} className={form.form} onSubmit={submit.onSubmit}>
        {children}
      </form>
    </Dialog>
  );
}
