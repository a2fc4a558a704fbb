import { useRouterState } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef, useSyncExternalStore } from 'react';
import { errorBanner } from '../lib/error-banner.ts';
import { t as common } from '../text/common.ts';
import { Banner } from '../ui/overlays/banner.tsx';
import { LongWaitNote } from '../ui/overlays/long-wait.tsx';
import styles from './page-area.module.css';

/** Leads past what stands before the page; seen while it has the focus. */
export const SkipLink = ({ children }: { readonly children: string }) => (
  <a className={styles.skip} href="#main">
    {children}
  </a>
);

/** A page in its shell, portal or console; takes the focus when another page is shown, as a loaded document would. */
export function PageArea({
  className,
  children,
}: {
  readonly className: string | undefined;
  readonly children: ReactNode;
}) {
  const failed = useSyncExternalStore(errorBanner.subscribe, errorBanner.isShown);
  const main = useRef<HTMLElement>(null);
  const path = useRouterState({ select: (state) => state.resolvedLocation?.pathname });
  const shown = useRef(path);
  useEffect(() => {
    if (shown.current !== undefined && shown.current !== path) main.current?.focus({ preventScroll: true });
    shown.current = path;
  }, [path]);
  return (
    <main id="main" className={className} tabIndex={-1} ref={main}>
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
