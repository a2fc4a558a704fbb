import { useSearch } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { ApiError } from '../../lib/api/api-error.ts';
import { reportFailure } from '../../lib/error-banner.ts';
import { hasPasskeys, whyNot } from '../../lib/passkeys.ts';
import { Button } from '../../ui/fields/button.tsx';
import { ErrorSummary } from '../../ui/fields/error-summary.tsx';
import form from '../../ui/fields/form.module.css';
import { PasswordInput } from '../../ui/fields/password-input.tsx';
import { TextInput } from '../../ui/fields/text-input.tsx';
import { Banner } from '../../ui/overlays/banner.tsx';
import { signIn, signInWithPasskey } from './calls.ts';
import styles from './entry.module.css';
import { EntryFrame } from './entry-frame.tsx';
import { t } from './messages.ts';
import { OtherWays } from './sso-ways.tsx';

/** Where to go after the sign-in: a page of the console and nowhere else. */
export const pageAfter = (from: unknown): string =>
  typeof from === 'string' && /^\/admin(?![^/?#])(?!\/sign-in)/.test(from) ? from : '/admin';

const ssoRefusals = ['unknown', 'refused', 'failed'] as const;
const isSsoRefusal = (told: unknown): told is (typeof ssoRefusals)[number] =>
  ssoRefusals.some((one) => one === told);

/** What went wrong, in words for the person; undefined when it is the banner's. */
function wordsFor(error: unknown): string | undefined {
  const why = whyNot(error);
  if (why !== undefined) return t(why === 'unable' ? 'signIn.passkey.unable' : 'signIn.passkey.cancelled');
  return error instanceof ApiError && error.status >= 400 && error.status < 500 ? error.message : undefined;
}

/** A passkey; or address, password and code of the app, all at once: which of them was wrong is not told. */
export function SignInPage() {
  const search = useSearch({ strict: false }) as Readonly<
    Record<'from' | 'ended' | 'changed' | 'sso', unknown>
  >;
  const [given, setGiven] = useState({ email: '', password: '', code: '' });
  const [refusal, setRefusal] = useState<{ readonly text: string; readonly attempt: number }>();
  const [busy, setBusy] = useState<'password' | 'passkey'>();
  const isWhole = given.email.trim() !== '' && given.password !== '' && given.code.trim() !== '';
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!isWhole) return;
    const { email, password, code } = given;
    await attempt('password', () => signIn({ email: email.trim(), password, code: code.trim() }));
  };
  const attempt = async (way: 'password' | 'passkey', prove: () => Promise<unknown>) => {
    if (busy !== undefined) return;
    setBusy(way);
    try {
      await prove();
      globalThis.location.replace(pageAfter(search.from));
    } catch (error) {
      setBusy(undefined);
      setGiven((before) => ({ ...before, code: '' }));
      const text = wordsFor(error);
      if (text === undefined) return reportFailure(error);
      setRefusal((before) => ({ text, attempt: (before?.attempt ?? 0) + 1 }));
    }
  };
  const field = (name: keyof typeof given) => ({
    name,
    value: given[name],
    required: true,
    onChange: (event: FormEvent<HTMLInputElement>) => {
      const { value } = event.currentTarget;
      setGiven((before) => ({ ...before, [name]: value }));
    },
  });
  return (
    <EntryFrame title={t('signIn.title')}>
      {search.ended !== undefined && refusal === undefined && (
        <Banner tone="info">{t('signIn.ended')}</Banner>
      )}
      {search.changed !== undefined && refusal === undefined && (
        <Banner tone="success">{t('signIn.changed')}</Banner>
      )}
      {isSsoRefusal(search.sso) && refusal === undefined && (
        <Banner tone="danger">{t(`sso.${search.sso}`)}</Banner>
      )}
      <ErrorSummary
        problems={refusal === undefined ? [] : [{ text: refusal.text }]}
        attempt={refusal?.attempt ?? 0}
      />
      <OtherWays>
        {hasPasskeys() && (
          <Button
            wide
            busy={busy === 'passkey'}
            busyLabel={t('signIn.passkey.busy')}
            onClick={() => void attempt('passkey', signInWithPasskey)}
          >
            {t('signIn.passkey')}
          </Button>
        )}
      </OtherWays>
      <form className={form.form} method="dialog" onSubmit={(event) => void submit(event)} noValidate>
        <TextInput
          label={t('signIn.email')}
          type="email"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck="false"
          {...field('email')}
        />
        <PasswordInput label={t('signIn.password')} autoComplete="current-password" {...field('password')} />
        <TextInput
          label={t('signIn.code')}
          hint={t('signIn.codeHint')}
          type="text"
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={10}
          {...field('code')}
        />
        <Button
          type="submit"
          variant="primary"
          wide
          disabled={!isWhole}
          busy={busy === 'password'}
          busyLabel={t('signIn.busy')}
        >
          {t('signIn.submit')}
        </Button>
      </form>
      <p className={styles.muted}>
        <a href="/admin/password">{t('signIn.forgotten')}</a> {t('signIn.lost')}
      </p>
    </EntryFrame>
  );
}
