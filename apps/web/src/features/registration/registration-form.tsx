import {
  MIN_REGISTRATION_LENGTH,
  MISMATCH_MESSAGE,
  REGISTRATION_HINT,
  registrationMessage,
  registrationProblems,
  registrationRulesFor,
} from '@counterfoil/domain/text/password.ts';
import { useState } from 'react';
import { runtimeConfig } from '../../lib/page/runtime-config.ts';
import { type LinkEnd, setPasswordByLink } from '../../lib/password-by-link.ts';
import { useSubmit } from '../../lib/use-submit.ts';
import { Button } from '../../ui/fields/button.tsx';
import { ErrorSummary } from '../../ui/fields/error-summary.tsx';
import styles from '../../ui/fields/form.module.css';
import { PasswordInput } from '../../ui/fields/password-input.tsx';
import { RuleList } from '../../ui/fields/rule-list.tsx';
import { t } from './messages.ts';

const passwordId = 'password';
const confirmId = 'confirm-password';
const fieldOf = {
  'password.composition': passwordId,
  'password.tooLong': passwordId,
  'password.tooCommon': passwordId,
} as const;

/** Password and its repetition; the rules are ticked as they are met, the first fault shows once both are filled. */
export function RegistrationForm({ onEnd }: { readonly onEnd: (end: LinkEnd) => void }) {
  const [password, setPassword] = useState('');
  const [confirmation, setConfirmation] = useState('');
  const { rule, minLength } = runtimeConfig.passwords;
  const least = Math.max(minLength, MIN_REGISTRATION_LENGTH);
  const isValid = registrationProblems(password, confirmation, rule, least).length === 0;
  const message = registrationMessage(password, confirmation, rule, least) ?? undefined;
  const isMismatch = message === MISMATCH_MESSAGE;
  const submit = useSubmit(async () => {
    if (!isValid) return;
    onEnd(await setPasswordByLink('/v1/ec/user-registration', password, 'registration.expired'));
  }, fieldOf);
  const rules = registrationRulesFor(rule, least).map(({ name, isMet }) => ({
    text: t(`rule.${name}`, { least }),
    isMet: isMet(password),
  }));
  const isAsSpecified = rule === 'composition' && least === MIN_REGISTRATION_LENGTH;
  return (
    <>
      <ErrorSummary problems={submit.problems} attempt={submit.attempt} />
      <form className={styles.form} method="dialog" onSubmit={submit.onSubmit} noValidate>
        <PasswordInput
          label={t('password')}
          hint={
            <div className={styles.hints}>
              <p>{isAsSpecified ? REGISTRATION_HINT : t('hintLength', { least })}</p>
              <RuleList rules={rules} />
            </div>
          }
          id={passwordId}
          name="password"
          autoComplete="new-password"
          required
          tall
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          error={isMismatch ? undefined : (message ?? submit.errorOf(passwordId))}
        />
        <PasswordInput
          label={t('confirm')}
          id={confirmId}
          name="confirmation"
          autoComplete="new-password"
          required
          tall
          value={confirmation}
          onChange={(event) => setConfirmation(event.currentTarget.value)}
          error={isMismatch ? message : undefined}
        />
        <Button
          type="submit"
          variant="primary"
          size="tall"
          wide
          disabled={!isValid}
          busy={submit.busy}
          busyLabel={t('busy')}
        >
          {t('submit')}
        </Button>
      </form>
    </>
  );
}
