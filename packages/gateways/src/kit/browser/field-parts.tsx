import type { ReactNode } from 'react';
import type { EntryStatus } from '../../port/browser.ts';
import styles from './entry.module.css';
import { words } from './words.ts';

/** Decoration beside an error, which stands in words. */
const Alert = () => (
  <svg
    viewBox="0 0 16 16"
    width="16"
    height="16"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.6"
    aria-hidden="true"
  >
    <path d="M14.2 8A6.2 6.2 0 1 1 1.8 8a6.2 6.2 0 0 1 12.4 0M8 4.8v3.7M8 11v.1" />
  </svg>
);

/** What is wrong with a field; nothing where nothing is. */
export const FieldError = ({ id, children }: { readonly id: string; readonly children: string }) => (
  <span className={styles.error} id={id} aria-live="polite">
    {children !== '' && <Alert />}
    {children}
  </span>
);

interface StatusLineProps {
  readonly status: EntryStatus;
  readonly onRetry: () => void;
  readonly slow?: string;
  readonly failed?: string;
  readonly retry?: string;
}

/** That something does not come, or takes long, and the way to try again. Empty while all is well. */
export function StatusLine({
  status,
  onRetry,
  slow = words.slow,
  failed = words.failed,
  retry = words.retry,
}: StatusLineProps): ReactNode {
  const isFailed = status === 'failed';
  return (
    <div
      className={isFailed ? `${styles.status} ${styles.failed}` : styles.status}
      role={isFailed ? 'alert' : 'status'}
    >
      {(isFailed || status === 'slow') && (
        <>
          {isFailed && <Alert />}
          <span>{isFailed ? failed : slow}</span>
          <button type="button" className={styles.retry} onClick={onRetry}>
            {retry}
          </button>
        </>
      )}
    </div>
  );
}
