import { type FormEvent, useRef, useState } from 'react';
import type { FactorDue } from '../../lib/api/token.ts';
import { reportFailure } from '../../lib/error-banner.ts';
import { runtimeConfig } from '../../lib/page/runtime-config.ts';
import { session } from '../../lib/session/session-store.ts';
import { Button } from '../../ui/fields/button.tsx';
import { ErrorSummary, type FormProblem } from '../../ui/fields/error-summary.tsx';
import styles from '../../ui/fields/form.module.css';
import { PasswordInput } from '../../ui/fields/password-input.tsx';
import { TextInput } from '../../ui/fields/text-input.tsx';
import { t } from './messages.ts';
import { PasskeyButton } from './passkey-button.tsx';
import { SecondFactorForm } from './second-factor-form.tsx';
import { signIn, ssoAddress } from './sign-in.ts';

const usernameId = 'username';
const passwordId = 'password';

interface SignInFormProps {
  /** The session is stored: leave for the portal. */
  readonly onSignedIn: () => void;
  /** A second step is shown in place of user name and password, or no longer is. */
  readonly onFactor: (isShown: boolean) => void;
}

/** Form state 1: username and password. */
export function SignInForm({ onSignedIn, onFactor }: SignInFormProps) {
  const [due, setDue] = useState<FactorDue>();
  const [problems, setProblems] = useState<readonly FormProblem[]>([]);
  const [attempt, setAttempt] = useState(0);
  const [busy, setBusy] = useState(false);
  const running = useRef(false);
  const errorOf = (field: string) => problems.find((problem) => problem.field === field)?.text;
  const refuse = (found: readonly FormProblem[]) => {
    setProblems(found);
    setAttempt((count) => count + 1);
  };

  const submit = async (form: FormData): Promise<void> => {
    const username = String(form.get('username') ?? '').trim();
    const password = String(form.get('password') ?? '');
    const missing: FormProblem[] = [
      ...(username === '' ? [{ text: t('signIn.noUsername'), field: usernameId }] : []),
      ...(password === '' ? [{ text: t('signIn.noPassword'), field: passwordId }] : []),
    ];
    if (missing.length > 0) return refuse(missing);
    setBusy(true);
    setProblems([]);
    const parts = { fetch: globalThis.fetch.bind(globalThis), apiHost: runtimeConfig.apiHost, session };
    const outcome = await signIn(parts, username, password);
    // Leaving takes a moment; the button stays busy until the document is gone.
    if (outcome.kind === 'signedIn') return onSignedIn();
    if (outcome.kind === 'company') {
      const r = new URLSearchParams(globalThis.location.search).get('r');
      globalThis.location.assign(ssoAddress(runtimeConfig.apiHost, outcome.company, r));
      return;
    }
    setBusy(false);
    if (outcome.kind === 'factor') {
      setDue(outcome.due);
      onFactor(true);
    } else if (outcome.kind === 'failed') reportFailure(outcome.error);
    else refuse([{ text: outcome.text }]);
  };
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    // Enter in a field submits whatever the button says.
    if (running.current) return;
    running.current = true;
    void submit(new FormData(event.currentTarget)).finally(() => {
      running.current = false;
    });
  };

  const back = (why?: string) => {
    setDue(undefined);
    onFactor(false);
    if (why !== undefined) refuse([{ text: why }]);
  };
  if (due !== undefined) return <SecondFactorForm due={due} onSignedIn={onSignedIn} onBack={back} />;
  return (
    <>
      <ErrorSummary problems={problems} attempt={attempt} />
      {/* Outside a dialog this method sends nothing: before the script has arrived, no password may leave in a URL. */}
      <form className={styles.form} method="dialog" onSubmit={onSubmit} noValidate>
        <TextInput
          label={t('signIn.username')}
          id={usernameId}
          name="username"
          type="text"
          inputMode="email"
          autoComplete="username webauthn"
          autoCapitalize="none"
          spellCheck="false"
          required
          tall
          error={errorOf(usernameId)}
        />
        <PasswordInput
          label={t('signIn.password')}
          id={passwordId}
          name="password"
          autoComplete="current-password"
          required
          tall
          error={errorOf(passwordId)}
        />
        <Button type="submit" variant="primary" size="tall" wide busy={busy} busyLabel={t('signIn.busy')}>
          {t('signIn.submit')}
        </Button>
      </form>
      <PasskeyButton onSignedIn={onSignedIn} />
    </>
  );
}
