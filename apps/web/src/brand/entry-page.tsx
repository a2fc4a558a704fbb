import { type ReactNode, useEffect, useRef, useSyncExternalStore } from 'react';
import { errorBanner } from '../lib/error-banner.ts';
import { t as common } from '../text/common.ts';
import { useTitle } from '../ui/layout/title.ts';
import { Banner } from '../ui/overlays/banner.tsx';
import { LongWaitNote } from '../ui/overlays/long-wait.tsx';
import { BrandImage } from './brand-image.tsx';
import styles from './entry-page.module.css';
import { useHostBrand } from './host-brand.ts';
import { Lockup } from './lockup.tsx';

interface EntryPageProps {
  /** The one heading; another one takes the focus, as another page would. */
  readonly title: string;
  readonly children: ReactNode;
}

/** A page in front of the portal: banner and column, with the counterfoil's perforation between. */
export function EntryPage({ title, children }: EntryPageProps) {
  const { brand, failed } = useHostBrand();
  const showBanner = useSyncExternalStore(errorBanner.subscribe, errorBanner.isShown, errorBanner.isShown);
  const heading = useRef<HTMLHeadingElement>(null);
  const shown = useRef(title);
  useTitle(title, brand?.name ?? '');
  useEffect(() => {
    if (failed !== undefined) errorBanner.show();
  }, [failed]);
  useEffect(() => {
    if (shown.current !== title) heading.current?.focus();
    shown.current = title;
  }, [title]);
  return (
    <main className={styles.split}>
      <div className={styles.banner}>
        {brand && (
          <BrandImage image="banner" brandId={brand.id} width={700} height={900} className={styles.art} />
        )}
      </div>
      <div className={styles.column}>
        <div className={styles.inner}>
          {showBanner && (
            <Banner tone="danger" onClose={errorBanner.close}>
              {common('error.banner')}
            </Banner>
          )}
          <div className={styles.mark}>{brand && <Lockup brandId={brand.id} name={brand.name} />}</div>
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {children}
        </div>
      </div>
      <LongWaitNote />
    </main>
  );
}
