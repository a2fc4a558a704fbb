import type { ReactNode } from 'react';
import styles from './scroll-box.module.css';

interface ScrollBoxProps {
  readonly label: string;
  readonly children: ReactNode;
}

/** What may be long scrolls in a box of its own, by keyboard too, so that what stands below stays in sight. On paper it is whole. */
export const ScrollBox = ({ label, children }: ScrollBoxProps) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: without a focus, a keyboard could not scroll it
  <section className={styles.box} tabIndex={0} aria-label={label}>
    {children}
  </section>
);
