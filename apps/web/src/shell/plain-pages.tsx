import { Link, useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { requestIdOf } from '../lib/api/api-error.ts';
import { usePortal } from '../lib/portal/portal-context.ts';
import { buttonClass } from '../ui/fields/button.tsx';
import { PageHead } from '../ui/layout/page-head.tsx';
import { EmptyState, SectionError } from '../ui/layout/section-state.tsx';
import { useTitle } from '../ui/layout/title.ts';
import { Frame } from './frame.tsx';
import { t } from './messages.ts';

/** The catch-all page. */
export function NotFoundPage() {
  useTitle(t('notFound.title'), usePortal().brand.name);
  return (
    <>
      <PageHead title={t('notFound.title')} />
      <p>{t('notFound.text')}</p>
      <p>
        <Link className={buttonClass({})} to="/">
          {t('notFound.action')}
        </Link>
      </p>
    </>
  );
}

/** Where `/` leads when a brand shows no area at all. */
export function NoAreasPage() {
  const portal = usePortal();
  useTitle(portal.resellerName, portal.brand.name);
  return (
    <>
      <PageHead title={portal.resellerName} />
      <EmptyState level={2} title={t('noAreas.title')}>
        {t('noAreas.text')}
      </EmptyState>
    </>
  );
}

/** Who is signed in, or the brand, could not be loaded: nothing can be drawn but a way to try again. */
export function PortalFailedPage({ error }: { readonly error: unknown }) {
  const router = useRouter();
  const [retrying, setRetrying] = useState(false);
  const retry = () => {
    setRetrying(true);
    void router.invalidate().finally(() => setRetrying(false));
  };
  return (
    <Frame>
      <PageHead title={t('failed.title')} />
      <SectionError level={2} requestId={requestIdOf(error)} onRetry={retry} retrying={retrying}>
        {t('failed.text')}
      </SectionError>
    </Frame>
  );
}

/** One page broke while drawing; header and menu still work. */
export function PageFailed({ error, reset }: { readonly error: unknown; readonly reset: () => void }) {
  return <SectionError level={2} requestId={requestIdOf(error)} onRetry={reset} />;
}
