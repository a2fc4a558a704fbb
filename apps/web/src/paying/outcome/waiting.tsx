import { formatMoment } from '../../lib/values/moment.ts';
import { Icon } from '../../ui/icon.tsx';
import styles from './waiting.module.css';
import { t } from './waiting-messages.ts';

/** Working days in which banks usually confirm a debit whose kind is not known. */
export const USUAL_DAYS = 5;

/** What is said of a bank debit on its way (decisions 6), where the server has said nothing. */
export const submittedText = (): string => t('submitted', { n: USUAL_DAYS });

interface ConfirmingStepsProps {
  /** ISO instant, when it is known. */
  readonly sentAt: string | undefined;
  readonly receiptTo: string | undefined;
  readonly isOffline: boolean;
}

/** A payment being confirmed, step by step: what is done, what is waited for, and what comes then. */
export const ConfirmingSteps = ({ sentAt, receiptTo, isOffline }: ConfirmingStepsProps) => (
  <ol className={styles.steps}>
    <li>
      <Icon name="check" className={styles.good} />
      <span>
        {t('sent')}{' '}
        {sentAt && <span className={styles.muted}>{t('at', { time: formatMoment(sentAt).time })}</span>}
      </span>
    </li>
    <li>
      <Icon name="clock" className={styles.wait} />
      <span role="status">
        <strong>{t('waiting')}</strong>{' '}
        <span className={styles.muted}>{t(isOffline ? 'offline' : 'usually')}</span>
      </span>
    </li>
    <li className={styles.muted}>
      <span className={styles.ring} aria-hidden="true" />
      <span>{receiptTo ? t('nextReceipt', { email: receiptTo }) : t('next')}</span>
    </li>
  </ol>
);
