import { LoadingNote, Skeleton } from '../../ui/layout/skeleton.tsx';
import styles from './bulk-pay.module.css';
import { t } from './messages.ts';

/** Two methods' worth of rows. */
export const MethodsLoading = () => (
  <div className={styles.waiting}>
    <LoadingNote />
    <Skeleton width="100%" height="3rem" />
    <Skeleton width="100%" height="3rem" />
  </div>
);

/** Blocks at the size and place of methods and summary. */
export const CheckoutLoading = () => (
  <div className={styles.checkout}>
    <section className={styles.tile}>
      <h2 className={styles.head}>{t('methods.title')}</h2>
      <MethodsLoading />
    </section>
    <section className={`${styles.tile} ${styles.summary}`}>
      <h2 className={styles.head}>{t('summary.title')}</h2>
      <div className={styles.waiting}>
        <Skeleton width="12rem" height="2.75rem" />
        <Skeleton width="8rem" />
        <Skeleton width="100%" height="4rem" />
        <Skeleton width="100%" height="3rem" />
      </div>
    </section>
  </div>
);
