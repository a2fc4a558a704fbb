import { Link } from '@tanstack/react-router';
import { requestIdOf } from '../../lib/api/api-error.ts';
import { EmptyState, SectionError } from '../../ui/layout/section-state.tsx';
import { useTitle } from '../../ui/layout/title.ts';
import { SpinnerOverlay } from '../../ui/overlays/spinner.tsx';
import { consoleName, t } from './messages.ts';
import styles from './shell.module.css';

/** While it is found out who is signed in. */
export const ConsoleLoading = () => <SpinnerOverlay />;

interface Failure {
  readonly error: unknown;
  readonly reset: () => void;
}

/** Who is signed in could not be found out. */
export function ConsoleFailed({ error }: Failure) {
  useTitle(t('failed.title'), consoleName);
  return (
    <main className={styles.alone}>
      <SectionError level={2} requestId={requestIdOf(error)} onRetry={() => globalThis.location.reload()}>
        {t('failed.text')}
      </SectionError>
    </main>
  );
}

/** The page's code could not be loaded, or it failed. */
export const PageFailed = ({ error, reset }: Failure) => (
  <SectionError level={2} requestId={requestIdOf(error)} onRetry={reset}>
    {t('failed.page')}
  </SectionError>
);

/** An address that the console does not have. */
export function NotHere() {
  useTitle(t('notHere.title'), consoleName);
  return (
    <EmptyState level={2} title={t('notHere.title')}>
      {t('notHere.text')} <Link to={'/admin/customers' as never}>{t('nav.customers')}</Link>
    </EmptyState>
  );
}
