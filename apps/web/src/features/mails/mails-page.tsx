import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../lib/api/api.ts';
import { requestIdOf } from '../../lib/api/api-error.ts';
import { usePortal } from '../../lib/portal/portal-context.ts';
import { preferencesQuery } from '../../lib/preferences.ts';
import { Checkbox } from '../../ui/fields/checkbox.tsx';
import { PageHead } from '../../ui/layout/page-head.tsx';
import { SectionError } from '../../ui/layout/section-state.tsx';
import { LoadingNote, Skeleton } from '../../ui/layout/skeleton.tsx';
import { useTitle } from '../../ui/layout/title.ts';
import { Outcome } from '../../ui/overlays/outcome.tsx';
import { choiceOf } from './choice.ts';
import styles from './mails.module.css';
import { t } from './messages.ts';

/** Settings → E-mails: whether one gets new invoices and reminders. */
export default function MailsPage() {
  const { brand, me } = usePortal();
  const stored = useQuery(preferencesQuery());
  useTitle(t('title'), brand.name);
  return (
    <>
      <PageHead title={t('title')} />
      <div className={styles.page}>
        <p className={styles.muted}>{t('about', { email: me.email })}</p>
        {stored.data !== undefined ? (
          <Invoices stored={stored.data} />
        ) : stored.isError ? (
          <SectionError
            level={2}
            requestId={requestIdOf(stored.error)}
            onRetry={() => void stored.refetch()}
            retrying={stored.isFetching}
          />
        ) : (
          <>
            <LoadingNote />
            <Skeleton width="100%" height="6rem" />
          </>
        )}
      </div>
    </>
  );
}

function Invoices({ stored }: { readonly stored: Readonly<Record<string, unknown>> }) {
  const { settings, me, customer, isSuperUser } = usePortal();
  const client = useQueryClient();
  const [outcome, setOutcome] = useState<'stored' | 'failed'>();
  const [isBusy, setBusy] = useState(false);
  const { toYou } = settings.invoiceMails;
  const isOn = choiceOf(stored) ?? toYou;
  const names = { invoices: settings.invoiceLabelPlural, customer: customer?.label ?? '' };
  const change = async (invoices: boolean) => {
    setBusy(true);
    setOutcome(undefined);
    try {
      await api.put('/v1/ec/preferences/mails', { value: { invoices } });
      client.setQueryData(preferencesQuery().queryKey, { ...stored, mails: { invoices } });
      setOutcome('stored');
    } catch {
      setOutcome('failed');
    }
    setBusy(false);
  };
  return (
    <>
      {outcome !== undefined && (
        <Outcome tone={outcome === 'stored' ? 'success' : 'danger'} onClose={() => setOutcome(undefined)}>
          {outcome === 'failed' ? (
            t('failed')
          ) : (
            <span>
              <b>{t('stored')}.</b> {isOn ? t('stored.on', { email: me.email }) : t('stored.off')}
            </span>
          )}
        </Outcome>
      )}
      <div className={styles.choice}>
        <Checkbox
          labelShown
          label={t('invoices', names)}
          checked={isOn}
          disabled={isBusy}
          blocked={isSuperUser ? t('support') : undefined}
          onChange={(checked) => void change(checked)}
        />
        <p className={styles.muted}>{t('invoices.hint', names)}</p>
        {toYou && <p className={styles.muted}>{t('billing', { ...names, company: settings.companyName })}</p>}
      </div>
    </>
  );
}
