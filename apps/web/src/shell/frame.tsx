import type { ReactNode } from 'react';
import { Lockup } from '../brand/lockup.tsx';
import { runtimeConfig } from '../lib/page/runtime-config.ts';
import { SpinnerOverlay } from '../ui/overlays/spinner.tsx';
import styles from './header.module.css';
import { PageArea } from './page-area.tsx';
import shellStyles from './shell.module.css';

/** The header as far as it is known before anything has loaded: nothing moves when the rest arrives. */
export function Frame({ children }: { readonly children: ReactNode }) {
  const { brand } = runtimeConfig;
  return (
    <>
      <header className={styles.header}>
        <div className={styles.bar}>
          {brand && (
            <span className={styles.home}>
              <Lockup brandId={brand.id} name={brand.name} nameClass={styles.name} />
            </span>
          )}
        </div>
      </header>
      <PageArea className={shellStyles.page}>{children}</PageArea>
    </>
  );
}

/** While the portal loads. */
export const LoadingFrame = () => (
  <Frame>
    <SpinnerOverlay />
  </Frame>
);
