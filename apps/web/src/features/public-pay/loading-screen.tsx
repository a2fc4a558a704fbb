import { Skeleton } from '../../ui/layout/skeleton.tsx';
import { Slip } from '../../ui/layout/slip.tsx';
import { VisuallyHidden } from '../../ui/visually-hidden.tsx';
import { t } from './messages.ts';
import styles from './pay.module.css';

/** Blocks at the size and place of amount, facts and form. */
export const LoadingScreen = () => (
  <Slip
    top={
      <div className={styles.loadingTop}>
        <VisuallyHidden>
          <h1>{t('loading.label')}</h1>
        </VisuallyHidden>
        <Skeleton width="12rem" />
        <Skeleton width="14rem" height="2.75rem" />
        <Skeleton width="8rem" />
        <Skeleton width="100%" height="2.25rem" />
        <Skeleton width="100%" height="4rem" />
      </div>
    }
    bottom={
      <div className={styles.loadingForm}>
        <Skeleton width="6rem" />
        <Skeleton width="100%" height="2.75rem" />
        <Skeleton width="8rem" />
        <Skeleton width="100%" height="2.75rem" />
        <Skeleton width="100%" height="3rem" />
      </div>
    }
  />
);
