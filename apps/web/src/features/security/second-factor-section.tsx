import { t } from './messages.ts';
import styles from './security.module.css';

/** Codes of an authenticator app as a second step of the sign-in by password. */
export const SecondFactorSection = () => (
  <section className={styles.tile} aria-labelledby="second-factor">
    <h2 id="second-factor">{t('factor.title')}</h2>
    <p className={styles.muted}>{t('factor.about')}</p>
  </section>
);
