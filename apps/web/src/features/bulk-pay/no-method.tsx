import { Link } from '@tanstack/react-router';
import { buttonClass } from '../../ui/button.tsx';
import styles from './bulk-pay.module.css';
import { t } from './messages.ts';

/** Nothing is saved, and the provider takes saved methods only. */
export const NoMethod = ({ isMisconfigured }: { readonly isMisconfigured: boolean }) => (
  <div className={styles.none}>
    <p>{t(isMisconfigured ? 'methods.misconfigured' : 'methods.none')}</p>
    {!isMisconfigured && (
      <Link to="/payment-types" className={buttonClass({})}>
        {t('methods.configure')}
      </Link>
    )}
  </div>
);
