import type { ReactElement, ReactNode } from 'react';
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
