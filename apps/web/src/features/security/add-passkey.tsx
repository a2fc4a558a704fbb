import type { Passkey, PasskeyRegistration } from '@counterfoil/contract/people/passkeys.ts';
import { useState } from 'react';
import { ApiError } from '../../lib/api/api-error.ts';
import { reportFailure } from '../../lib/error-banner.ts';
import { whyNot } from '../../lib/passkeys.ts';
import { usePortal } from '../../lib/portal/portal-context.ts';
import { useSubmit } from '../../lib/use-submit.ts';
import { t as common } from '../../text/common.ts';
import { Button } from '../../ui/fields/button.tsx';
import { ErrorSummary } from '../../ui/fields/error-summary.tsx';
import formStyles from '../../ui/fields/form.module.css';
import { PasswordInput } from '../../ui/fields/password-input.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Banner } from '../../ui/overlays/banner.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { t } from './passkey-messages.ts';
import { finishPasskey, startPasskey } from './passkey-queries.ts';
import styles from './security.module.css';

interface AddPasskeyProps {
  /** An attempt begins: what is said of an earlier one is over. */
  readonly onStart: () => void;
  readonly onAdded: (passkey: Passkey) => void;
}

/** What went wrong, in words for the person; undefined when it is the banner's. */
export function wordsFor(error: unknown): string | undefined {
  const failure = whyNot(error);
  if (failure !== undefined) return t(`add.${failure === 'superseded' ? 'cancelled' : failure}`);
  return error instanceof ApiError && error.status >= 400 && error.status < 500 ? error.message : undefined;
}

/** The button that adds a passkey; it asks for the password first where the sign-in was a while ago. */
export function AddPasskey({ onStart, onAdded }: AddPasskeyProps) {
  const [asking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();

  const attempt = async (start: () => Promise<PasskeyRegistration>) => {
    setBusy(true);
    setProblem(undefined);
    onStart();
    try {
      onAdded(await finishPasskey(await start()));
    } catch (error) {
      if (error instanceof ApiError && error.code === 'passkey.passwordNeeded') return setAsking(true);
      // The session is over: the page is being left.
      if (error instanceof ApiError && error.status === 401) return;
      const words = wordsFor(error);
      setProblem(words);
      if (words === undefined) reportFailure(error);
    } finally {
      setBusy(false);
    }
  };

  return (
    <>
      {problem !== undefined && (
        <Banner tone="warning" onClose={() => setProblem(undefined)}>
          {problem}
        </Banner>
      )}
      <div className={styles.action}>
        <Button busy={busy} busyLabel={t('add.busy')} onClick={() => void attempt(startPasskey)}>
          <Icon name="plus" />
          {t('add.action')}
        </Button>
      </div>
      {asking && (
        <ConfirmPassword
          onClose={() => setAsking(false)}
          onVerified={(registration) => {
            setAsking(false);
            void attempt(async () => registration);
          }}
        />
      )}
    </>
  );
}

const passwordId = 'passkey-password';
const formId = 'passkey-confirm';

interface ConfirmPasswordProps {
  readonly onClose: () => void;
  readonly onVerified: (registration: PasskeyRegistration) => void;
}

function ConfirmPassword({ onClose, onVerified }: ConfirmPasswordProps) {
  const { me } = usePortal();
  const [password, setPassword] = useState('');
  const submit = useSubmit(async () => onVerified(await startPasskey(password)), {
    'password.wrongCurrent': passwordId,
  });
  return (
    <Dialog
      title={t('confirm.title')}
      open
      onClose={onClose}
      locked={submit.busy}
      actions={
        <>
          <Button onClick={onClose}>{common('action.cancel')}</Button>
          <Button
            type="submit"
            form={formId}
            variant="primary"
            disabled={password === ''}
            busy={submit.busy}
            busyLabel={t('confirm.busy')}
          >
            {t('confirm.action')}
          </Button>
        </>
      }
    >
      <ErrorSummary problems={submit.problems} attempt={submit.attempt} />
      <form id={formId} className={formStyles.form} method="dialog" onSubmit={submit.onSubmit} noValidate>
        <p>{t('confirm.text')}</p>
        {/* Tells password managers whose password this is. */}
        <input type="text" name="username" autoComplete="username" value={me.email} readOnly hidden />
        <PasswordInput
          label={t('confirm.password')}
          id={passwordId}
          name="password"
          autoComplete="current-password"
          required
          tall
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          error={submit.errorOf(passwordId)}
        />
      </form>
    </Dialog>
  );
}
