import { useQuery } from '@tanstack/react-query';
import { usePortal } from '../../lib/portal/portal-context.ts';
import { PageHead } from '../../ui/layout/page-head.tsx';
import { useTitle } from '../../ui/layout/title.ts';
import { Banner } from '../../ui/overlays/banner.tsx';
import { t } from './messages.ts';
import { OwnDataSection } from './own-data-section.tsx';
import { passkeyQueries } from './passkey-queries.ts';
import { PasskeysSection } from './passkeys-section.tsx';
import { secondFactorQueries } from './second-factor-queries.ts';
import { SecondFactorSection } from './second-factor-section.tsx';
import styles from './security.module.css';

/** Settings → Security: what stands between a stolen password and the account. */
export default function SecurityPage() {
  const { brand, me, isSuperUser } = usePortal();
  useTitle(t('title'), brand.name);
  // What stands below would move with the height of what comes above it; it is asked for all the same.
  const factor = useQuery(secondFactorQueries.state());
  const passkeys = useQuery(passkeyQueries.list());
  return (
    <>
      {me.needsSecondFactor && (
        <Banner tone="info">
          <b>{t('required.title')}</b> {t('required.text', { company: brand.companyName })}
        </Banner>
      )}
      <PageHead title={t('title')} />
      <div className={styles.sections}>
        <SecondFactorSection />
        {!factor.isPending && <PasskeysSection />}
        {!factor.isPending && !passkeys.isPending && !isSuperUser && !me.needsSecondFactor && (
          <OwnDataSection />
        )}
      </div>
    </>
  );
}
