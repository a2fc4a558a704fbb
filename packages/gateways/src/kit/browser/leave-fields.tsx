import { useEffect } from 'react';
import type { EntryFieldsProps, MethodKind } from '../../port/browser.ts';
import styles from './entry.module.css';
import { pageWords } from './page-words.ts';

interface LeaveFieldsProps extends EntryFieldsProps {
  readonly kind: MethodKind;
}

/** Where the gateway's own page asks for the method: what happens next. */
export function LeaveFields({ kind, onState }: LeaveFieldsProps) {
  useEffect(() => onState?.({ status: 'leaves', isComplete: true }), [onState]);
  return (
    <p className={styles.leave}>
      <svg
        aria-hidden="true"
        viewBox="0 0 16 16"
        width="16"
        height="16"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.6"
      >
        <path d="M6.5 3H3.8A1.3 1.3 0 0 0 2.5 4.3v7.9a1.3 1.3 0 0 0 1.3 1.3h7.9a1.3 1.3 0 0 0 1.3-1.3V9.5M9.5 2.5h4v4M13.2 2.8 7.5 8.5" />
      </svg>
      <span>{kind === 'card' ? pageWords.leaveCard : pageWords.leaveBank}</span>
    </p>
  );
}
