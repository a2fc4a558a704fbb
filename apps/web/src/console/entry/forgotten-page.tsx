import { isMailAddress } from '@counterfoil/domain/text/mail-address.ts';
import { useState } from 'react';
import { useSubmit } from '../../lib/use-submit.ts';
import { Button, LinkButton } from '../../ui/fields/button.tsx';
import { ErrorSummary } from '../../ui/fields/error-summary.tsx';
import form from '../../ui/fields/form.module.css';
import { TextInput } from '../../ui/fields/text-input.tsx';
import { Banner } from '../../ui/overlays/banner.tsx';
import { askForPassword } from './calls.ts';
import styles from './entry.module.css';
import { EntryFrame } from './entry-frame.tsx';
import { t } from './messages.ts';

/** Asks for a mail to a new password; the answer is the same for every address. */
export default function ForgottenPage() {
  const [email, setEmail] = useState('');
  const [sentTo, setSentTo] = useState<string>();
  const isWhole = isMailAddress(email.trim());
  const submit = useSubmit(async () => {
    if (!isWhole) return;
    await askForPassword(email.trim());
    setSentTo(email.trim());
  }, {});
  return (
    <EntryFrame title={t('forgotten.title')}>
      {sentTo === undefined ? (
        <>
          <p className={styles.muted}>{t('forgotten.about')}</p>
          <ErrorSummary problems={submit.problems} attempt={submit.attempt} />
          <form className={form.form} method="dialog" onSubmit={submit.onSubmit} noValidate>
            <TextInput
              label={t('signIn.email')}
              type="email"
              name="email"
              autoComplete="username"
              autoCapitalize="none"
              spellCheck="false"
              required
              value={email}
              onChange={(event) => setEmail(event.currentTarget.value)}
            />
            <Button
              type="submit"
              variant="primary"
              wide
              disabled={!isWhole}
              busy={submit.busy}
              busyLabel={t('forgotten.busy')}
            >
              {t('forgotten.submit')}
            </Button>
          </form>
        </>
      ) : (
        <Banner tone="success">{t('forgotten.sent', { email: sentTo })}</Banner>
      )}
      <LinkButton href="/admin/sign-in">{t('invitation.signIn')}</LinkButton>
    </EntryFrame>
  );
}
