import { Outlet, useRouterState } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { type Portal, PortalContext } from '../lib/portal/portal-context.ts';
import { SpinnerOverlay } from '../ui/overlays/spinner.tsx';
import { Header } from './header.tsx';
import { t } from './messages.ts';
import { PageArea, SkipLink } from './page-area.tsx';
import styles from './shell.module.css';
import { SupportStrip } from './support-strip.tsx';

/** The signed-in frame: skip link, header, the one error banner, and the page. */
export function Shell({ portal }: { readonly portal: Portal }) {
  const [switching, setSwitching] = useState(false);
  return (
    <PortalContext value={portal}>
      <SkipLink>{t('shell.skip')}</SkipLink>
      <Header onSwitch={() => setSwitching(true)} />
      {portal.isSuperUser && <SupportStrip />}
      <PageArea className={styles.page}>
        <Outlet />
      </PageArea>
      {switching ? <SpinnerOverlay label={t('shell.switching')} /> : <PageSpinner />}
    </PortalContext>
  );
}

const SHOWN_AFTER_MS = 150;

/**
 * The spinner while another page's code is on its way. Put into the document only after 150 ms: sorting a grid is
 * a navigation too, and must not pay for an overlay nobody sees.
 */
function PageSpinner() {
  const loading = useRouterState({ select: (state) => state.isLoading });
  const [late, setLate] = useState(false);
  useEffect(() => {
    if (!loading) return;
    const timer = setTimeout(() => setLate(true), SHOWN_AFTER_MS);
    return () => {
      clearTimeout(timer);
      setLate(false);
    };
  }, [loading]);
  return late ? <SpinnerOverlay /> : null;
}
