import type { ReactNode } from 'react';
import styles from './visually-hidden.module.css';

interface VisuallyHiddenProps {
  readonly children: ReactNode;
  /** `status`: what changes here is read out when the reader is idle. */
  readonly role?: 'status';
}

/** Text for screen readers only. */
export const VisuallyHidden = ({ children, role }: VisuallyHiddenProps) => (
  <span className={styles.hidden} role={role}>
    {children}
  </span>
);
