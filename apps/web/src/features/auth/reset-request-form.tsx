import type { PasswordResetRequest } from '@counterfoil/contract/people/auth.ts';
import type { LoginEvent } from '@counterfoil/domain/text/login-form.ts';
import { useState } from 'react';
import { openApi } from '../../lib/api/open-api.ts';
import { useSubmit } from '../../lib/use-submit.ts';
import { Button } from '../../ui/fields/button.tsx';
import { ErrorSummary } from '../../ui/fields/error-summary.tsx';
import styles from '../../ui/fields/form.module.css';
import { TextInput } from '../../ui/fields/text-input.tsx';
import { t } from './messages.ts';

/** Form state 2: asks for a reset mail. The answer tells nobody whether the address is known. */
export function ResetRequestForm({ onEvent }: { readonly onEvent: (event: LoginEvent) => void }) {
  const [email, setEmail] = useState('');
  const isEmpty = email.trim() === '';
  const submit = useSubmit(async () => {
    if (isEmpty) return;
    const body: PasswordResetRequest = { email: email.trim() };
    await openApi.post('/v1/ec/password-reset-request', body);
    onEvent('resetRequested');
  });
  return (
    <>
      <ErrorSummary problems={submit.problems} attempt={submit.attempt} />
      <form className={styles.form} method="dialog" onSubmit={submit.onSubmit} noValidate>
        <TextInput
          label={t('request.email')}
          hint={t('request.hint')}
          name="email"
          type="text"
          inputMode="email"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck="false"
          required
          tall
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <Button
          type="submit"
          variant="primary"
          size="tall"
          wide
          disabled={isEmpty}
          busy={submit.busy}
          busyLabel={t('request.busy')}
        >
          {t('request.submit')}
        </Button>
      </form>
    </>
  );
}
