import type { OperatorInvitation } from '@counterfoil/contract/operator/access/operators.ts';
import { isLongEnough } from '@counterfoil/domain/text/password.ts';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { QrCode } from '../../features/security/qr-code.tsx';
import { ApiError, requestIdOf } from '../../lib/api/api-error.ts';
import { useSubmit } from '../../lib/use-submit.ts';
import { Button, LinkButton } from '../../ui/fields/button.tsx';
import { CopyButton } from '../../ui/fields/copy-button.tsx';
import { ErrorSummary } from '../../ui/fields/error-summary.tsx';
import { PasswordInput } from '../../ui/fields/password-input.tsx';
import { RuleList } from '../../ui/fields/rule-list.tsx';
import { TextInput } from '../../ui/fields/text-input.tsx';
import { SectionError } from '../../ui/layout/section-state.tsx';
import { LoadingNote, Skeleton } from '../../ui/layout/skeleton.tsx';
import { Banner } from '../../ui/overlays/banner.tsx';
import { acceptInvitation, showInvitation } from './calls.ts';
import styles from './entry.module.css';
import { EntryFrame } from './entry-frame.tsx';
import { t } from './messages.ts';

const isOver = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'operator.invitationOver';

/** The page of an invitation: a password and the authenticator app, set up in one step. */
export function InvitationPage() {
  const { token = '' } = useParams({ strict: false }) as { readonly token?: string };
  const invitation = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => showInvitation(token),
    meta: { quiet: isOver },
  });
  return (
    <EntryFrame title={t('invitation.title')}>
      {invitation.data !== undefined ? (
        <InvitationForm token={token} invitation={invitation.data} />
      ) : isOver(invitation.error) ? (
        <>
          <Banner tone="danger">{t('invitation.over')}</Banner>
          <LinkButton href="/admin/sign-in">{t('invitation.signIn')}</LinkButton>
        </>
      ) : invitation.isError ? (
        <SectionError
          level={2}
          requestId={requestIdOf(invitation.error)}
          onRetry={() => void invitation.refetch()}
          retrying={invitation.isFetching}
        />
      ) : (
        <>
          <LoadingNote />
          <Skeleton width="100%" height="18rem" />
        </>
      )}
    </EntryFrame>
  );
}

const passwordId = 'password';
const codeId = 'code';
const fieldOf = {
  'password.tooShort': passwordId,
  'password.tooLong': passwordId,
  'password.tooCommon': passwordId,
  'secondFactor.wrongCode': codeId,
} as const;

interface InvitationFormProps {
  readonly token: string;
  readonly invitation: OperatorInvitation;
}

function InvitationForm({ token, invitation }: InvitationFormProps) {
  const { displayName: name, email, passwordMinLength: least, secret, uri } = invitation;
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const isWhole = isLongEnough(password, least) && code.trim() !== '';
  const submit = useSubmit(async () => {
    if (!isWhole) return;
    await acceptInvitation({ token, password, code: code.trim() });
    globalThis.location.replace('/admin');
  }, fieldOf);
  return (
    <>
      <p className={styles.muted}>{t('invitation.for', { name, email })}</p>
      <ErrorSummary problems={submit.problems} attempt={submit.attempt} />
      <form className={styles.steps} method="dialog" onSubmit={submit.onSubmit} noValidate>
        {/* Lets a password manager keep the password under the right name. */}
        <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
        <PasswordInput
          label={t('invitation.password')}
          hint={
            <RuleList
              rules={[{ text: t('invitation.rule', { least }), isMet: isLongEnough(password, least) }]}
            />
          }
          id={passwordId}
          name="password"
          autoComplete="new-password"
          required
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          error={submit.errorOf(passwordId)}
        />
        <div className={styles.step}>
          <h2>{t('invitation.app')}</h2>
          <p className={styles.muted}>{t('invitation.scan')}</p>
          <div className={styles.scan}>
            <QrCode text={uri} label={t('invitation.qr')} />
            <div className={styles.key}>
              <p className={styles.muted}>{t('invitation.key')}</p>
              <code>{secret.replaceAll(/(.{4})(?=.)/g, '$1 ')}</code>
              <CopyButton text={secret} label={t('invitation.copy')} copied={t('invitation.copied')} />
            </div>
          </div>
        </div>
        <TextInput
          label={t('invitation.code')}
          hint={t('signIn.codeHint')}
          id={codeId}
          name="code"
          type="text"
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={10}
          required
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
          error={submit.errorOf(codeId)}
        />
        <Button
          type="submit"
          variant="primary"
          wide
          disabled={!isWhole}
          busy={submit.busy}
          busyLabel={t('invitation.busy')}
        >
          {t('invitation.submit')}
        </Button>
      </form>
    </>
  );
}
