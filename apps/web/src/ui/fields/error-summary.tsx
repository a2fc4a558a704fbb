import { useEffect, useRef } from 'react';
import { t } from '../../text/common.ts';
import { Icon } from '../icon.tsx';
import { useErrorTitle } from '../layout/title.ts';
import styles from './error-summary.module.css';

export interface FormProblem {
  readonly text: string;
  /** Id of the field to mend; without it the problem is about the whole form. */
  readonly field?: string | undefined;
  /** Puts the cursor into a field that has no id of ours: one in a provider's frame. */
  readonly focus?: (() => void) | undefined;
}

interface ErrorSummaryProps {
  readonly problems: readonly FormProblem[];
  /** Changes with every failed submit, so that the focus comes here each time. */
  readonly attempt: number;
}

/** "There is a problem" above a form after a failed submit, and 'Error: ' before the title; takes the focus and links to each field. */
export function ErrorSummary({ problems, attempt }: ErrorSummaryProps) {
  const box = useRef<HTMLDivElement>(null);
  const shown = problems.length > 0;
  useEffect(() => {
    if (shown && attempt > 0) box.current?.focus();
  }, [shown, attempt]);
  useErrorTitle(shown);
  if (!shown) return null;
  return (
    <div className={styles.summary} ref={box} tabIndex={-1} role="alert">
      <h2 className={styles.title}>
        <Icon name="alert" />
        {t('error.summary')}
      </h2>
      <ul className={styles.list}>
        {problems.map((problem) => (
          <li key={problem.text}>
            {problem.field === undefined && problem.focus === undefined ? (
              problem.text
            ) : (
              <a
                href={`#${problem.field ?? ''}`}
                onClick={(event) => {
                  event.preventDefault();
                  if (problem.focus) problem.focus();
                  else document.getElementById(problem.field ?? '')?.focus();
                }}
              >
                {problem.text}
              </a>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}
