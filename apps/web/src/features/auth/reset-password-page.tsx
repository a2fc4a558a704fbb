import type { PasswordReset } from '@counterfoil/contract/auth.ts';
import { hasValidLength } from '@counterfoil/domain/password.ts';
import { useState } from 'react';
import { EntryPage } from '../../brand/entry-page.tsx';
import { api } from '../../lib/api/api.ts';
import { ApiError } from '../../lib/api/api-error.ts';
import { linkToken } from '../../lib/link-token.ts';
import { runtimeConfig } from '../../lib/runtime-config.ts';
import { session } from '../../lib/session/session-store.ts';
import { useSubmit } from '../../lib/use-submit.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorSummary } from '../../ui/error-summary.tsx';
import styles from '../../ui/form.module.css';
import { Outcome } from '../../ui/outcome.tsx';
import { PasswordInput } from '../../ui/password-input.tsx';
import { RuleList } from '../../ui/rule-list.tsx';
import { t } from './messages.ts';

const fieldId = 'new-password';
const fieldOf = {
  'password.tooShort': fieldId,
  'password.tooLong': fieldId,
  'password.tooCommon': fieldId,
} as const;

/** The page of a reset link: the form until success or failure, then what came of it. */
export function ResetPasswordPage() {
  const [end, setEnd] = useState<'success' | 'expired'>();
  return (
    <EntryPage title={t('reset.title')}>
      {end === undefined && <ResetPasswordForm onEnd={setEnd} />}
      {end !== undefined && (
        <Outcome tone={end === 'success' ? 'success' : 'danger'}>{t(`reset.${end}`)}</Outcome>
      )}
      <p className={styles.links}>
        <a href="/login">{t('reset.back')}</a>
      </p>
    </EntryPage>
  );
}

function ResetPasswordForm({ onEnd }: { readonly onEnd: (end: 'success' | 'expired') => void }) {
  const [password, setPassword] = useState('');
  const least = runtimeConfig.passwords.minLength;
  const isLong = hasValidLength(password, least);
  const submit = useSubmit(async () => {
    if (!isLong) return;
    const body: PasswordReset = { token: linkToken(globalThis.location.pathname), password };
    try {
      await api.post('/v1/ec/password-reset', body, { anonymous: true });
    } catch (error) {
      if (error instanceof ApiError && error.code === 'reset.expired') return onEnd('expired');
      throw error;
    }
    // Every session has ended, this browser's too.
    session.clear();
    onEnd('success');
  }, fieldOf);
  return (
    <>
      <ErrorSummary problems={submit.problems} attempt={submit.attempt} />
      <form className={styles.form} method="dialog" onSubmit={submit.onSubmit} noValidate>
        <PasswordInput
          label={t('reset.password')}
          hint={<RuleList rules={[{ text: t('reset.rule', { least }), isMet: isLong }]} />}
          id={fieldId}
          name="password"
          autoComplete="new-password"
          required
          tall
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          error={submit.errorOf(fieldId)}
        />
        <Button
          type="submit"
          variant="primary"
          size="tall"
          wide
          disabled={!isLong}
          busy={submit.busy}
          busyLabel={t('reset.busy')}
        >
          {t('reset.submit')}
        </Button>
      </form>
    </>
  );
}
