import { LoadingNote, Skeleton } from '../../ui/layout/skeleton.tsx';
import styles from './invoices.module.css';

/** Blocks at the size and place of amount, tabs, facts and cards. */
export const InvoiceSkeleton = () => (
  <div className={styles.loading}>
    <LoadingNote />
    <Skeleton width="6rem" />
    <Skeleton width="14rem" height="2.75rem" />
    <Skeleton width="11rem" />
    <Skeleton width="100%" height="2.75rem" />
    <Skeleton width="100%" height="3rem" />
    <Skeleton width="100%" height="5rem" />
    <Skeleton width="100%" height="20rem" />
  </div>
);
