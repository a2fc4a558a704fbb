import type { Enrolment } from '@counterfoil/contract/people/second-factor.ts';
import { useId, useState } from 'react';
import { useSubmit } from '../../lib/use-submit.ts';
import { t as common } from '../../text/common.ts';
import { Button, LinkButton } from '../../ui/fields/button.tsx';
import { CopyButton } from '../../ui/fields/copy-button.tsx';
import { ErrorSummary } from '../../ui/fields/error-summary.tsx';
import formStyles from '../../ui/fields/form.module.css';
import { TextInput } from '../../ui/fields/text-input.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { t } from './messages.ts';
import { QrCode } from './qr-code.tsx';
import { confirmEnrolment } from './second-factor-queries.ts';
import styles from './security.module.css';

const otpId = 'enrolment-otp';

interface ScanDialogProps {
  readonly title: string;
  readonly act: string;
  readonly enrolment: Enrolment;
  /** The app showed a right code. @param codes new recovery codes */
  readonly onConfirmed: (codes: readonly string[]) => void;
  readonly onClose: () => void;
}

/** Gives the key to an authenticator app, and asks for the first code it shows. */
export function ScanDialog({ title, act, enrolment, onConfirmed, onClose }: ScanDialogProps) {
  const form = useId();
  const [otp, setOtp] = useState('');
  const submit = useSubmit(
    async () => {
      if (otp.trim() === '') return;
      onConfirmed((await confirmEnrolment({ otp: otp.trim() })).codes);
    },
    { 'secondFactor.wrongCode': otpId },
  );
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
            disabled={otp.trim() === ''}
            busy={submit.busy}
            busyLabel={t('scan.busy')}
          >
            {act}
          </Button>
        </>
      }
    >
      <ErrorSummary problems={submit.problems} attempt={submit.attempt} />
      <ol className={styles.steps}>
        <li>
          <h3>{t('scan.scan')}</h3>
          <p className={styles.muted}>{t('scan.apps')}</p>
          <div className={styles.scan}>
            <QrCode text={enrolment.uri} label={t('scan.qr')} />
            <div className={styles.key}>
              <p className={styles.muted}>{t('scan.key')}</p>
              <code>{inGroups(enrolment.secret)}</code>
              <div className={styles.tools}>
                <CopyButton text={enrolment.secret} label={t('scan.copy')} copied={t('scan.copied')} />
                <LinkButton href={enrolment.uri} variant="quiet" className={styles.here}>
                  {t('scan.here')}
                </LinkButton>
              </div>
            </div>
          </div>
        </li>
        <li>
          <h3>{t('scan.enter')}</h3>
          <form id={form} className={formStyles.form} method="dialog" onSubmit={submit.onSubmit} noValidate>
            <TextInput
              label={t('scan.otp')}
              hint={t('scan.otpHint')}
              id={otpId}
              name="otp"
              type="text"
              inputMode="numeric"
              autoComplete="one-time-code"
              maxLength={10}
              required
              tall
              value={otp}
              onChange={(event) => setOtp(event.currentTarget.value)}
              error={submit.errorOf(otpId)}
            />
          </form>
        </li>
      </ol>
    </Dialog>
  );
}

/** 'ABCD EFGH …': read out and typed in four by four. */
const inGroups = (secret: string): string => secret.replaceAll(/(.{4})(?=.)/g, '$1 ');
