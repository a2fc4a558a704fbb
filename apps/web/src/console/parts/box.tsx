import { type ReactNode, useId } from 'react';
import styles from './parts.module.css';

interface BoxProps {
  readonly title: string;
  /** At the end of the heading's line: a count, a state, a quiet act. */
  readonly aside?: ReactNode;
  /** The content touches the edges: a table. */
  readonly flush?: boolean;
  readonly foot?: ReactNode;
  readonly children: ReactNode;
}

/** One part of a page, under a heading of its own. */
export function Box({ title, aside, flush, foot, children }: BoxProps) {
  const id = useId();
  return (
    <section className={styles.box} aria-labelledby={id}>
      <div className={styles.boxHead}>
        <h2 id={id}>{title}</h2>
        {aside && <div className={styles.aside}>{aside}</div>}
      </div>
      {flush ? children : <div className={styles.boxBody}>{children}</div>}
      {foot && <div className={styles.boxFoot}>{foot}</div>}
    </section>
  );
}
