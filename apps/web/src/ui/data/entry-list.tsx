import type { ReactElement, ReactNode } from 'react';
import { Skeleton } from '../layout/skeleton.tsx';
import styles from './entry-list.module.css';

interface EntryListProps {
  /** What is listed, for screen readers. */
  readonly label: string;
  /** `Entry` elements. */
  readonly children: ReactNode;
}

/** A few things with an action each, in one box: sessions, passkeys. Longer lists are grids. */
export const EntryList = ({ label, children }: EntryListProps) => (
  <ul className={styles.list} aria-label={label}>
    {children}
  </ul>
);

interface EntryProps {
  /** Large. */
  readonly icon: ReactElement;
  readonly title: string;
  /** A status pill beside the title. */
  readonly mark?: ReactNode;
  /** One or two lines in muted type. */
  readonly facts: readonly ReactNode[];
  /** Buttons at the end; below the text on a phone. */
  readonly actions?: ReactNode;
}

/** The place of a list that is loading. @param entries how many are likely to come */
export const EntryListWaiting = ({ entries }: { readonly entries: number }) => (
  <div className={styles.list} aria-hidden="true">
    {Array.from({ length: entries }, (_, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
      <div key={at} className={styles.entry}>
        <span className={styles.sign} />
        <div className={styles.text}>
          <p className={styles.head}>
            <Skeleton width="min(11rem, 100%)" height="1rem" />
          </p>
          <p className={styles.fact}>
            <Skeleton width="min(7rem, 100%)" height="0.8rem" />
          </p>
        </div>
        <div className={styles.actions}>
          <Skeleton width="6.25rem" height="2.5rem" />
        </div>
      </div>
    ))}
  </div>
);

/** One thing of an {@link EntryList}. */
export const Entry = ({ icon, title, mark, facts, actions }: EntryProps) => (
  <li className={styles.entry}>
    <span className={styles.sign}>{icon}</span>
    <div className={styles.text}>
      <p className={styles.head}>
        <b>{title}</b>
        {mark}
      </p>
      {facts.map((fact, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines of an entry neither move nor change their number
        <p key={at} className={styles.fact}>
          {fact}
        </p>
      ))}
    </div>
    {actions && <div className={styles.actions}>{actions}</div>}
  </li>
);
