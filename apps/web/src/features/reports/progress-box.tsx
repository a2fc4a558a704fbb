import { useEffect, useRef } from 'react';
import { Button } from '../../ui/fields/button.tsx';
import { Spinner } from '../../ui/overlays/spinner.tsx';
import { VisuallyHidden } from '../../ui/visually-hidden.tsx';
import { elapsedText, spokenText, useElapsed } from './elapsed.ts';
import { t } from './messages.ts';
import styles from './reports.module.css';

interface ProgressBoxProps {
  /** Milliseconds. */
  readonly since: number;
  readonly reportName: string;
  readonly fileName: string;
  /** Absent until the job has an id. */
  readonly onBackground?: (() => void) | undefined;
}

/** While a report is generated: for how long, what comes of it, and the way out. */
export function ProgressBox({ since, reportName, fileName, onBackground }: ProgressBoxProps) {
  const seconds = useElapsed(since);
  const box = useRef<HTMLDivElement>(null);
  // The field that had the focus is disabled now: outside of the dialog, Escape would not be held back.
  useEffect(() => box.current?.focus(), []);
  return (
    <div className={styles.progress} ref={box} tabIndex={-1}>
      <p className={styles.progressTop} aria-hidden="true">
        <Spinner isLongExpected />
        {elapsedText(seconds)}
      </p>
      <VisuallyHidden role="status">{spokenText(seconds)}</VisuallyHidden>
      <div className={styles.track} role="progressbar" aria-label={t('generateName', { name: reportName })} />
      <p className={styles.small}>{t('progress.file', { file: fileName })}</p>
      <div className={styles.way}>
        <Button size="small" onClick={onBackground} disabled={onBackground === undefined}>
          {t('progress.background')}
        </Button>
      </div>
    </div>
  );
}
