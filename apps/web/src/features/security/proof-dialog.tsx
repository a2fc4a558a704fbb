import { type ReactNode, useId, useState } from 'react';
import { useSubmit } from '../../lib/use-submit.ts';
import { t as common } from '../../text/common.ts';
import { Button } from '../../ui/fields/button.tsx';
import { ErrorSummary } from '../../ui/fields/error-summary.tsx';
import formStyles from '../../ui/fields/form.module.css';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { emptyProof, type Proof, ProofFields, proofFields } from './proof-fields.tsx';

interface ProofDialogProps {
  readonly title: string;
  /** What will happen. */
  readonly children: ReactNode;
  readonly act: string;
  readonly busyAct: string;
  readonly needsPassword: boolean;
  readonly needsCode: boolean;
  readonly mayRecover: boolean;
  /** Does it. A refusal is shown at its field. */
  readonly onProof: (proof: Proof) => Promise<void>;
  readonly onClose: () => void;
}

/** Asks who it is before something that changes how they get in. */
export function ProofDialog(props: ProofDialogProps) {
  const { title, children, act, busyAct, needsPassword, needsCode, mayRecover, onProof, onClose } = props;
  const form = useId();
  const [proof, setProof] = useState(emptyProof);
  const isReady = (!needsPassword || proof.password !== '') && (!needsCode || proof.code.trim() !== '');
  const submit = useSubmit(async () => {
    if (isReady) await onProof(proof);
  }, proofFields);
  return (
    <Dialog
      title={title}
      open
      onClose={onClose}
      locked={submit.busy}
      actions={
        <>
          <Button onClick={onClose}>{common('action.cancel')}</Button>
          <Button
            type="submit"
            form={form}
            variant="primary"
            disabled={!isReady}
            busy={submit.busy}
            busyLabel={busyAct}
          >
            {act}
          </Button>
        </>
      }
    >
      <ErrorSummary problems={submit.problems} attempt={submit.attempt} />
      <form id={form} className={formStyles.form} method="dialog" onSubmit={submit.onSubmit} noValidate>
        {children}
        <ProofFields
          {...{ proof, needsPassword, needsCode, mayRecover }}
          onChange={setProof}
          errorOf={submit.errorOf}
        />
      </form>
    </Dialog>
  );
}
