import type { PasswordChange } from '@counterfoil/contract/people/account.ts';
import {
  canChangePassword,
  confirmationMessage,
  isLongEnough,
  isTooLong,
  TOO_LONG_MESSAGE,
} from '@counterfoil/domain/text/password.ts';
import { useState } from 'react';
import { api } from '../../lib/api/api.ts';
import { runtimeConfig } from '../../lib/page/runtime-config.ts';
import { usePortal } from '../../lib/portal/portal-context.ts';
import { usePortalOpened } from '../../lib/portal/use-portal-opened.ts';
import { useSubmit } from '../../lib/use-submit.ts';
import { formatMoment } from '../../lib/values/moment.ts';
import { Button } from '../../ui/fields/button.tsx';
import { ErrorSummary } from '../../ui/fields/error-summary.tsx';
import formStyles from '../../ui/fields/form.module.css';
import { PasswordInput } from '../../ui/fields/password-input.tsx';
import { RuleList } from '../../ui/fields/rule-list.tsx';
import { PageHead } from '../../ui/layout/page-head.tsx';
import { useTitle } from '../../ui/layout/title.ts';
import { Banner } from '../../ui/overlays/banner.tsx';
import { Outcome } from '../../ui/overlays/outcome.tsx';
import styles from './account.module.css';
import { t } from './messages.ts';
import { StrengthMeter } from './strength-meter.tsx';

const ids = { old: 'old-password', new: 'new-password', confirm: 'new-password-confirmation' } as const;
const fieldOf = {
  'password.wrongCurrent': ids.old,
  'password.tooShort': ids.new,
  'password.tooLong': ids.new,
  'password.tooCommon': ids.new,
} as const;
const empty = { oldPassword: '', newPassword: '', newPasswordConfirmation: '' };

/** Settings → Change Password. */
export default function ChangePasswordPage() {
  const { me, brand, resellerName } = usePortal();
  const [form, setForm] = useState(empty);
  const [isDone, setDone] = useState(false);
  const opened = usePortalOpened();
  const least = runtimeConfig.passwords.minLength;
  const isReady = canChangePassword(form, least);
  useTitle(t('title'), brand.name);
  const submit = useSubmit(async () => {
    if (!isReady) return;
    setDone(false);
    const body: PasswordChange = { oldPassword: form.oldPassword, newPassword: form.newPassword };
    await api.post('/v1/ec/password', body);
    setForm(empty);
    setDone(true);
    await opened();
  }, fieldOf);
  const field = (name: keyof typeof empty) => ({
    name,
    required: true,
    tall: true,
    value: form[name],
    onChange: (event: { readonly currentTarget: { readonly value: string } }) => {
      const { value } = event.currentTarget;
      setForm((before) => ({ ...before, [name]: value }));
    },
  });
  return (
    <>
      {me.passwordExpiresAt !== null && !isDone && (
        <Banner tone="info">
          <b>{t('made.title')}</b> {t('made.text', formatMoment(me.passwordExpiresAt, brand.timeZone))}
        </Banner>
      )}
      <PageHead title={t('title')} />
      {isDone && (
        <Outcome tone="success" onClose={() => setDone(false)}>
          <span className={styles.success}>
            <b>{t('success')}</b> {t('others')}
          </span>
        </Outcome>
      )}
      <div className={styles.column}>
        <ErrorSummary problems={submit.problems} attempt={submit.attempt} />
        <form className={formStyles.form} method="dialog" onSubmit={submit.onSubmit} noValidate>
          {/* Tells password managers whose password this is. */}
          <input type="text" name="username" autoComplete="username" value={me.email} readOnly hidden />
          <PasswordInput
            {...field('oldPassword')}
            label={t('old')}
            id={ids.old}
            autoComplete="current-password"
            error={submit.errorOf(ids.old)}
          />
          <div className={styles.field}>
            <PasswordInput
              {...field('newPassword')}
              label={t('new')}
              hint={
                <RuleList
                  rules={[{ text: t('rule', { least }), isMet: isLongEnough(form.newPassword, least) }]}
                />
              }
              id={ids.new}
              autoComplete="new-password"
              error={isTooLong(form.newPassword) ? TOO_LONG_MESSAGE : submit.errorOf(ids.new)}
            />
            <StrengthMeter
              password={form.newPassword}
              words={[me.email, me.displayName, brand.name, resellerName]}
            />
          </div>
          <PasswordInput
            {...field('newPasswordConfirmation')}
            label={t('confirm')}
            id={ids.confirm}
            autoComplete="new-password"
            error={confirmationMessage(form.newPassword, form.newPasswordConfirmation) ?? undefined}
          />
          <Button
            type="submit"
            variant="primary"
            size="tall"
            wide
            disabled={!isReady}
            busy={submit.busy}
            busyLabel={t('busy')}
          >
            {t('submit')}
          </Button>
        </form>
      </div>
    </>
  );
}
