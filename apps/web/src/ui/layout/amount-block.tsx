import type { ReactNode } from 'react';
import styles from './amount-block.module.css';
import { BigAmount } from './big-amount.tsx';

interface AmountBlockProps {
  /** Heading level of the label; `p` where the page's title already says it. */
  readonly as?: 'h1' | 'h2' | 'p';
  readonly label: ReactNode;
  /** Formatted money: the largest thing on the page. */
  readonly amount: ReactNode;
  /** Due date, overdue pill, number of invoices. */
  readonly facts?: ReactNode;
  /** Buttons, 48 px; the last one is the primary and comes first on a phone. */
  readonly actions?: ReactNode;
}

/** What is owed, by when, and the one thing to do about it. */
export const AmountBlock = ({ as: Label = 'p', label, amount, facts, actions }: AmountBlockProps) => (
  <div className={styles.block}>
    <div>
      <Label className={styles.label}>{label}</Label>
      <BigAmount>{amount}</BigAmount>
      {facts && <div className={styles.facts}>{facts}</div>}
    </div>
    {actions && <div className={styles.actions}>{actions}</div>}
  </div>
);
