import type { ReactNode } from 'react';
import styles from './big-amount.module.css';

/** From so many characters on, the figures are smaller: an amount stands in one piece, on a phone too. */
const LONG = 14;
const LONGER = 18;

const lengthOf = (amount: ReactNode): 'long' | 'longer' | undefined => {
  if (typeof amount !== 'string' || amount.length < LONG) return undefined;
  return amount.length < LONGER ? 'long' : 'longer';
};

/** The largest figure of a page: formatted money. */
export const BigAmount = ({ children }: { readonly children: ReactNode }) => (
  <p className={styles.amount} data-length={lengthOf(children)}>
    {children}
  </p>
);
