import type { ReactNode } from 'react';
import styles from './parts.module.css';

interface PageTopProps {
  readonly title: string;
  /** In one muted line. */
  readonly facts?: readonly ReactNode[];
  /** Buttons of what can be done here. */
  readonly acts?: ReactNode;
}

/** The heading of a page, its facts, and what can be done. */
export const PageTop = ({ title, facts = [], acts }: PageTopProps) => (
  <div className={styles.head}>
    <div>
      <h1>{title}</h1>
      {facts.length > 0 && (
        <p className={styles.facts}>
          {facts.map((fact, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: facts stand where they stand
            <span key={at}>{fact}</span>
          ))}
        </p>
      )}
    </div>
    {acts && <div className={styles.acts}>{acts}</div>}
  </div>
);
