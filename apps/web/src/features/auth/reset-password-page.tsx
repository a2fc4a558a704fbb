import {
  hasValidLength,
  isLongEnough,
  isTooLong,
  TOO_LONG_MESSAGE,
} from '@counterfoil/domain/text/password.ts';
import { useState } from 'react';
import { LinkPage } from '../../brand/link-page.tsx';
import { runtimeConfig } from '../../lib/page/runtime-config.ts';
import { type LinkEnd, setPasswordByLink } from '../../lib/password-by-link.ts';
import { useSubmit } from '../../lib/use-submit.ts';
import { Button } from '../../ui/fields/button.tsx';
import { ErrorSummary } from '../../ui/fields/error-summary.tsx';
import styles from '../../ui/fields/form.module.css';
import { PasswordInput } from '../../ui/fields/password-input.tsx';
import { RuleList } from '../../ui/fields/rule-list.tsx';
import { t } from './messages.ts';

const fieldId = 'new-password';
const fieldOf = {
  'password.tooShort': fieldId,
  'password.tooLong': fieldId,
  'password.tooCommon': fieldId,
} as const;

/** The page of a reset link (specification, portal §2 'Reset password'). */
export const ResetPasswordPage = () => (
  <LinkPage
    title={t('reset.title')}
    back={t('reset.back')}
    ends={{ success: t('reset.success'), expired: t('reset.expired') }}
    form={(onEnd) => <ResetPasswordForm onEnd={onEnd} />}
  />
);

function ResetPasswordForm({ onEnd }: { readonly onEnd: (end: LinkEnd) => void }) {
  const [password, setPassword] = useState('');
  const least = runtimeConfig.passwords.minLength;
  const isValid = hasValidLength(password, least);
  const submit = useSubmit(async () => {
    if (!isValid) return;
    onEnd(await setPasswordByLink('/v1/ec/password-reset', password, 'reset.expired'));
  }, fieldOf);
  return (
    <>
      <ErrorSummary problems={submit.problems} attempt={submit.attempt} />
      <form className={styles.form} method="dialog" onSubmit={submit.onSubmit} noValidate>
        <PasswordInput
          label={t('reset.password')}
          hint={
            <RuleList rules={[{ text: t('reset.rule', { least }), isMet: isLongEnough(password, least) }]} />
          }
          id={fieldId}
          name="password"
          autoComplete="new-password"
          required
          tall
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          error={isTooLong(password) ? TOO_LONG_MESSAGE : submit.errorOf(fieldId)}
        />
        <Button
          type="submit"
          variant="primary"
          size="tall"
          wide
          disabled={!isValid}
          busy={submit.busy}
          busyLabel={t('reset.busy')}
        >
          {t('reset.submit')}
        </Button>
      </form>
    </>
  );
}
