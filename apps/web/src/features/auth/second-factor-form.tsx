import { type FormEvent, useEffect, useRef, useState } from 'react';
import type { FactorDue } from '../../lib/api/token.ts';
import { reportFailure } from '../../lib/error-banner.ts';
import { runtimeConfig } from '../../lib/page/runtime-config.ts';
import { session } from '../../lib/session/session-store.ts';
import { Button } from '../../ui/fields/button.tsx';
import { ErrorSummary, type FormProblem } from '../../ui/fields/error-summary.tsx';
import styles from '../../ui/fields/form.module.css';
import { TextInput } from '../../ui/fields/text-input.tsx';
import { t } from './messages.ts';
import { PasskeyButton } from './passkey-button.tsx';
import { answerFactor } from './sign-in.ts';

const fieldId = 'second-factor-code';

interface SecondFactorFormProps {
  readonly due: FactorDue;
  /** The session is stored: leave for the portal. */
  readonly onSignedIn: () => void;
  /** Back to user name and password. @param why what the server said, when it ended this sign-in */
  readonly onBack: (why?: string) => void;
}

/** After the right password: a code of the authenticator app, a recovery code, or a passkey. */
export function SecondFactorForm({ due, onSignedIn, onBack }: SecondFactorFormProps) {
  const [isRecovery, setRecovery] = useState(!due.methods.includes('totp'));
  const [problem, setProblem] = useState<FormProblem>();
  const [attempt, setAttempt] = useState(0);
  const [busy, setBusy] = useState(false);
  const running = useRef(false);
  const field = useRef<HTMLInputElement>(null);
  const name = isRecovery ? 'recovery_code' : 'otp';
  // Also after the switch: the field is a new one, and nothing else is to be done here. The page's heading, which
  // takes the focus with a new title, comes first.
  useEffect(() => {
    if (name) queueMicrotask(() => field.current?.focus());
  }, [name]);
  const refuse = (text: string) => {
    setProblem({ text, field: fieldId });
    setAttempt((count) => count + 1);
  };

  const submit = async (typed: string): Promise<void> => {
    if (typed === '') return refuse(t(isRecovery ? 'factor.noRecovery' : 'factor.noOtp'));
    setBusy(true);
    setProblem(undefined);
    const parts = { fetch: globalThis.fetch.bind(globalThis), apiHost: runtimeConfig.apiHost, session };
    const answer = isRecovery ? { recovery_code: typed } : { otp: typed };
    const outcome = await answerFactor(parts, due, answer);
    // Leaving takes a moment; the button stays busy until the document is gone.
    if (outcome.kind === 'signedIn') return onSignedIn();
    if (outcome.kind === 'over') return onBack(outcome.text);
    setBusy(false);
    if (field.current) field.current.value = '';
    if (outcome.kind === 'refused') refuse(outcome.text);
    else if (outcome.kind === 'failed') reportFailure(outcome.error);
  };
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (running.current) return;
    running.current = true;
    void submit((field.current?.value ?? '').trim()).finally(() => {
      running.current = false;
    });
  };
  const toggle = () => {
    setProblem(undefined);
    setRecovery(!isRecovery);
  };

  const hasCode = due.methods.includes('totp') || due.methods.includes('recovery');
  return (
    <>
      <ErrorSummary problems={problem ? [problem] : []} attempt={attempt} />
      {hasCode ? (
        <form className={styles.form} method="dialog" onSubmit={onSubmit} noValidate>
          <TextInput
            key={name}
            inputRef={field}
            label={t(isRecovery ? 'factor.recovery' : 'factor.otp')}
            hint={t(isRecovery ? 'factor.recoveryAbout' : 'factor.about')}
            id={fieldId}
            name={name}
            type="text"
            inputMode={isRecovery ? 'text' : 'numeric'}
            autoComplete={isRecovery ? 'off' : 'one-time-code'}
            autoCapitalize="none"
            spellCheck="false"
            maxLength={isRecovery ? 20 : 10}
            required
            tall
            error={problem?.text}
          />
          <Button type="submit" variant="primary" size="tall" wide busy={busy} busyLabel={t('factor.busy')}>
            {t('factor.submit')}
          </Button>
        </form>
      ) : (
        <p>{t('factor.passkey')}</p>
      )}
      {due.methods.includes('passkey') && <PasskeyButton onSignedIn={onSignedIn} />}
      <p className={styles.links}>
        {due.methods.includes('totp') && due.methods.includes('recovery') && (
          <button type="button" onClick={toggle}>
            {t(isRecovery ? 'factor.useOtp' : 'factor.useRecovery')}
          </button>
        )}
        <button type="button" onClick={() => onBack()}>
          {t('factor.back')}
        </button>
      </p>
    </>
  );
}
