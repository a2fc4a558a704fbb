import type { SecondFactorState, Enrolment as Started } from '@counterfoil/contract/people/second-factor.ts';
import { useState } from 'react';
import { KeptDialog } from './kept-dialog.tsx';
import { t } from './messages.ts';
import { ProofDialog } from './proof-dialog.tsx';
import { codeOf } from './proof-fields.tsx';
import { ScanDialog } from './scan-dialog.tsx';
import { startEnrolment } from './second-factor-queries.ts';

interface EnrolmentProps {
  readonly state: SecondFactorState;
  /** Begun already, for whoever has just signed in. */
  readonly started: Started | undefined;
  /** It counts, and the recovery codes are kept. */
  readonly onDone: () => void;
  /** Nothing was changed. */
  readonly onClose: () => void;
}

/** Sets an authenticator app up, or another one: who it is, the key, the recovery codes. */
export function Enrolment({ state, started, onDone, onClose }: EnrolmentProps) {
  const [enrolment, setEnrolment] = useState(started);
  const [codes, setCodes] = useState<readonly string[]>();
  const title = t(state.isOn ? 'enrol.moveTitle' : 'enrol.title');
  if (codes !== undefined) return <KeptDialog codes={codes} onKept={onDone} />;
  if (enrolment !== undefined) {
    const act = t(state.isOn ? 'scan.use' : 'scan.turnOn');
    return <ScanDialog {...{ title, act, enrolment, onClose }} onConfirmed={setCodes} />;
  }
  return (
    <ProofDialog
      title={title}
      act={t('enrol.next')}
      busyAct={t('enrol.nextBusy')}
      needsPassword={state.needsPassword}
      needsCode={state.isOn}
      mayRecover={state.recoveryCodesLeft > 0}
      onProof={async (proof) => {
        const body = {
          ...(state.needsPassword ? { password: proof.password } : {}),
          ...(state.isOn ? codeOf(proof) : {}),
        };
        setEnrolment(await startEnrolment(body));
      }}
      onClose={onClose}
    >
      {state.isOn && <p>{t('enrol.moveText')}</p>}
    </ProofDialog>
  );
}
