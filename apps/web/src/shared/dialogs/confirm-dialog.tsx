import { type ReactNode, useId } from 'react';
import { useSubmit } from '../../lib/use-submit.ts';
import { t } from '../../text/common.ts';
import { Button } from '../../ui/fields/button.tsx';
import { ErrorSummary } from '../../ui/fields/error-summary.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';

interface ConfirmDialogProps {
  readonly title: string;
  /** What will happen. */
  readonly children: ReactNode;
  /** The act in the words of the button that asked for it, and while it is under way. */
  readonly act: string;
  readonly busyAct: string;
  /** Does it; a refusal is shown in the dialog. Closing after success is the caller's. */
  readonly onConfirm: () => Promise<void>;
  readonly onClose: () => void;
}

/** Asks once more before something that cannot be undone. */
export function ConfirmDialog({ title, children, act, busyAct, onConfirm, onClose }: ConfirmDialogProps) {
  const form = useId();
  const submit = useSubmit(onConfirm);
  return (
    <Dialog
      title={title}
      open
      onClose={onClose}
      locked={submit.busy}
      actions={
        <>
          <Button onClick={onClose}>{t('action.cancel')}</Button>
          <Button type="submit" form={form} variant="primary" busy={submit.busy} busyLabel={busyAct}>
            {act}
          </Button>
        </>
      }
    >
      <ErrorSummary problems={submit.problems} attempt={submit.attempt} />
      <form id={form} method="dialog" onSubmit={submit.onSubmit}>
        {children}
      </form>
    </Dialog>
  );
}
