import { type ReactNode, useSyncExternalStore } from 'react';
import { errorBanner } from '../../lib/error-banner.ts';
import { t as common } from '../../text/common.ts';
import { useTitle } from '../../ui/layout/title.ts';
import { Banner } from '../../ui/overlays/banner.tsx';
import { LongWaitNote } from '../../ui/overlays/long-wait.tsx';
import { consoleName } from '../shell/messages.ts';
import { Mark } from '../shell/shell.tsx';
import styles from './entry.module.css';

interface EntryFrameProps {
  readonly title: string;
  readonly children: ReactNode;
}

/** A page in front of the console: one slip of paper. */
export function EntryFrame({ title, children }: EntryFrameProps) {
  const failed = useSyncExternalStore(errorBanner.subscribe, errorBanner.isShown);
  useTitle(title, consoleName);
  return (
    <main className={styles.page}>
      <div className={styles.slip}>
        <Mark />
        {failed && (
          <Banner tone="danger" onClose={errorBanner.close}>
            {common('error.banner')}
          </Banner>
        )}
        <h1>{title}</h1>
        {children}
      </div>
      <LongWaitNote />
    </main>
  );
}
