import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { t } from '../../text/common.ts';
import { classNames } from '../class-names.ts';
import { Button } from '../fields/button.tsx';
import { Icon, type IconName } from '../icon.tsx';
import styles from './section-state.module.css';

/** Level of the heading: 3 inside a tile with a heading of its own, 2 directly on a page. */
type Level = 2 | 3;

const Heading = ({ level, children }: { readonly level: Level; readonly children: ReactNode }) =>
  level === 2 ? <h2>{children}</h2> : <h3>{children}</h3>;

interface EmptyStateProps {
  readonly level?: Level;
  readonly icon?: IconName;
  /** The specification's sentence where it gives one. */
  readonly title?: string;
  /** Why it is empty, or what comes next. */
  readonly children?: ReactNode;
  /** At most one secondary button. */
  readonly action?: ReactNode;
}

/** Stands where a section's content would: it says why there is none and what to do. */
export const EmptyState = ({
  level = 3,
  icon = 'file',
  title = t('state.nothing'),
  children,
  action,
}: EmptyStateProps) => (
  <div className={styles.state}>
    <Icon name={icon} />
    <Heading level={level}>{title}</Heading>
    {children && <p>{children}</p>}
    {action && <div className={styles.action}>{action}</div>}
  </div>
);

interface SectionErrorProps {
  readonly level?: Level;
  /** Request id of the answer, for support; from `ApiError`. */
  readonly requestId?: string | undefined;
  readonly onRetry: () => void;
  readonly retrying?: boolean;
  /** What still holds; the default says that the rest of the page does. */
  readonly children?: ReactNode;
}

/** One part of a page failed; the rest works, and this part can be asked for again. */
export function SectionError({ level = 3, requestId, onRetry, retrying, children }: SectionErrorProps) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const error = box.current;
    return () => {
      // Trying again worked: the button that had the focus goes, and the page is read on from its beginning.
      if (error?.contains(document.activeElement)) error.closest('main')?.focus({ preventScroll: true });
    };
  }, []);
  return (
    <div ref={box} className={classNames(styles.state, styles.error)}>
      <Icon name="alert" />
      <Heading level={level}>{t('error.section')}</Heading>
      <p>
        {children ?? t('error.rest')}
        {requestId && (
          <>
            {' '}
            {t('error.request')} <code className={styles.id}>{requestId}</code>
          </>
        )}
      </p>
      <div className={styles.action}>
        <Button onClick={onRetry} busy={retrying ?? false}>
          <Icon name="retry" />
          {t('action.tryAgain')}
        </Button>
      </div>
    </div>
  );
}
