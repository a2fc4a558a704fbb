import { OPERATOR_PASSWORD_MIN_LENGTH } from '@counterfoil/contract/operator/access/operators.ts';
import { isLongEnough } from '@counterfoil/domain/text/password.ts';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiError } from '../../lib/api/api-error.ts';
import { useSubmit } from '../../lib/use-submit.ts';
import { Button, LinkButton } from '../../ui/fields/button.tsx';
import { ErrorSummary } from '../../ui/fields/error-summary.tsx';
import form from '../../ui/fields/form.module.css';
import { PasswordInput } from '../../ui/fields/password-input.tsx';
import { RuleList } from '../../ui/fields/rule-list.tsx';
import { Banner } from '../../ui/overlays/banner.tsx';
import { resetPassword } from './calls.ts';
import styles from './entry.module.css';
import { EntryFrame } from './entry-frame.tsx';
import { t } from './messages.ts';

const least = OPERATOR_PASSWORD_MIN_LENGTH;
const passwordId = 'password';
const fieldOf = {
  'password.tooShort': passwordId,
  'password.tooLong': passwordId,
  'password.tooCommon': passwordId,
} as const;

/** The page of a mailed link: a new password, with which nobody is signed in yet. */
export default function PasswordPage() {
  const { token = '' } = useParams({ strict: false }) as { readonly token?: string };
  const [password, setPassword] = useState('');
  const [isOver, setOver] = useState(false);
  const isWhole = isLongEnough(password, least);
  const submit = useSubmit(async () => {
    if (!isWhole) return;
    try {
      await resetPassword({ token, password });
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'operator.resetOver') throw error;
      return setOver(true);
    }
    globalThis.location.replace('/admin/sign-in?changed=1');
  }, fieldOf);
  if (isOver)
    return (
      <EntryFrame title={t('password.title')}>
        <Banner tone="danger">{t('password.over')}</Banner>
        <LinkButton href="/admin/password">{t('password.again')}</LinkButton>
      </EntryFrame>
    );
  return (
    <EntryFrame title={t('password.title')}>
      <p className={styles.muted}>{t('password.about')}</p>
      <ErrorSummary problems={submit.problems} attempt={submit.attempt} />
      <form className={form.form} method="dialog" onSubmit={submit.onSubmit} noValidate>
        <PasswordInput
          label={t('invitation.password')}
          hint={<RuleList rules={[{ text: t('invitation.rule', { least }), isMet: isWhole }]} />}
          id={passwordId}
          name="password"
          autoComplete="new-password"
          required
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          error={submit.errorOf(passwordId)}
        />
        <Button
          type="submit"
          variant="primary"
          wide
          disabled={!isWhole}
          busy={submit.busy}
          busyLabel={t('password.busy')}
        >
          {t('password.submit')}
        </Button>
      </form>
    </EntryFrame>
  );
}
