import { Outlet, useRouterState } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { errorBanner } from '../lib/error-banner.ts';
import { type Portal, PortalContext } from '../lib/portal/portal-context.ts';
import { t as common } from '../text/common.ts';
import { Banner } from '../ui/overlays/banner.tsx';
import { LongWaitNote } from '../ui/overlays/long-wait.tsx';
import { SpinnerOverlay } from '../ui/overlays/spinner.tsx';
import { Header } from './header.tsx';
import { t } from './messages.ts';
import styles from './shell.module.css';
import { SupportStrip } from './support-strip.tsx';

/** The signed-in frame: skip link, header, the one error banner, and the page. */
export function Shell({ portal }: { readonly portal: Portal }) {
  const [switching, setSwitching] = useState(false);
  return (
    <PortalContext value={portal}>
      <a className={styles.skip} href="#main">
        {t('shell.skip')}
      </a>
      <Header onSwitch={() => setSwitching(true)} />
      {portal.isSuperUser && <SupportStrip />}
      <PageArea>
        <Outlet />
      </PageArea>
      {switching ? <SpinnerOverlay label={t('shell.switching')} /> : <PageSpinner />}
    </PortalContext>
  );
}

/** The page below the header; takes the focus when another page is shown, as a loaded document would. */
export function PageArea({ children }: { readonly children: ReactNode }) {
  const failed = useSyncExternalStore(errorBanner.subscribe, errorBanner.isShown);
  const main = useRef<HTMLElement>(null);
  const path = useRouterState({ select: (state) => state.resolvedLocation?.pathname });
  const shown = useRef(path);
  useEffect(() => {
    if (shown.current !== undefined && shown.current !== path) main.current?.focus({ preventScroll: true });
    shown.current = path;
  }, [path]);
  return (
    <main id="main" className={styles.page} tabIndex={-1} ref={main}>
      {failed && (
        <Banner tone="danger" onClose={errorBanner.close}>
          {common('error.banner')}
        </Banner>
      )}
      {children}
      <LongWaitNote />
    </main>
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
