import type { ReactNode } from 'react';
import styles from './page.module.css';

interface PageHeadProps {
  readonly title: string;
  /** Breadcrumb above the title. */
  readonly above?: ReactNode;
  /** Page actions, at the end. */
  readonly tools?: ReactNode;
}

/** The one `h1` of a screen with its actions. */
export const PageHead = ({ title, above, tools }: PageHeadProps) => (
  <div className={above ? styles.above : undefined}>
    {above}
    <div className={styles.head}>
      <h1 className={styles.title}>{title}</h1>
      {tools && <div className={styles.tools}>{tools}</div>}
    </div>
  </div>
);
